/// A part of a list, and whether more follows.
package struct Page<Element: Sendable>: Sendable {
  package let elements: [Element]
  package let hasMore: Bool
}
