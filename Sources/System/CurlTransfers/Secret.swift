/// A text whose description does not show it.
package struct Secret: Equatable, Sendable, CustomStringConvertible {
  package let value: String
  package var description: String { "(secret)" }

  package init(value: String) { self.value = value }
}

extension Secret: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self.init(value: value) }
}
