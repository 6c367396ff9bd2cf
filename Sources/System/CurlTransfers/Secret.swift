/// A text that its description, and therefore a log, does not show.
package struct Secret: Equatable, Sendable, CustomStringConvertible {
  package let value: String
  package var description: String { "(secret)" }

  package init(value: String) { self.value = value }
}

extension Secret: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self.init(value: value) }
}
