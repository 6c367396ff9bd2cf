/// A part of a list, and whether more follows.
package struct Page<Position: Sendable, Element: Sendable>: Sendable {
  package let elements: [Element]
  package let hasMore: Bool
  /// The position after which the rest of the list begins. Nil means the position of the last element.
  package let end: Position?

  package init(elements: [Element], hasMore: Bool, end: Position? = nil) {
    (self.elements, self.hasMore, self.end) = (elements, hasMore, end)
  }

  /// The first `limit` of the elements that were read.
  package init(_ read: [Element], limit: Int) {
    self.init(elements: Array(read.prefix(limit)), hasMore: read.count > limit)
  }
}

/// Bounds the work for one page of a list. A page that reaches a bound ends early, and the next page continues there.
package enum PageBounds {
  /// How many elements are read to find those of the page.
  package static let searched = 10_000
  /// How many elements a search reads at a time. Others read in between.
  package static let piece = 1000
  /// How many rows are counted for the elements of the page, except for the last element.
  package static let counted = 100_000
}

extension Page {
  /// Searches a list for the elements of a page. Each piece of the list is a separate read, so that other callers, and the
  /// erasure of removed data, do not wait for the whole search. After `PageBounds.searched` elements the page ends, even if it
  /// has no element yet.
  ///
  /// - Parameters:
  ///   - position: Returns the position of an element.
  ///   - isWanted: Whether an element belongs to the list that the caller sees.
  ///   - read: Reads at most `limit` elements after a position. It reads fewer only at the end of the list.
  static func searched(
    after start: Position?, limit: Int, at position: (Element) -> Position, where isWanted: (Element) -> Bool,
    _ read: (_ after: Position?, _ limit: Int) async throws(StoreFailure) -> [Element]
  ) async throws(StoreFailure) -> Page {
    var found: [Element] = []
    var (last, count, size) = (start, 0, limit + 1)
    repeat {
      let piece = try await read(last, size)
      found += piece.filter(isWanted)
      guard found.count <= limit, piece.count == size, let end = piece.last else { return Page(found, limit: limit) }
      (last, count, size) = (position(end), count + piece.count, max(size, PageBounds.piece))
    } while count < PageBounds.searched
    return Page(elements: found, hasMore: true, end: last)
  }
}
