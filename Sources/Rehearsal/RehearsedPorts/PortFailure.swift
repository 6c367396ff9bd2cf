/// Why a port cannot be reserved, or cannot behave as asked. Names the Debian package of a missing program.
package struct PortFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}
