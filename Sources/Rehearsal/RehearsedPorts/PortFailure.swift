/// Why a port cannot be had, or cannot be made to behave as asked; with the Debian package of a program that is missing.
package struct PortFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}
