/// A queue: elements in the order of their arrival. Removing the first element takes amortized constant time, and the
/// queue keeps no reference to a removed element.
///
/// `@usableFromInline`, because the event loops of another module take their jobs from such a queue (hot path), and the
/// compiler inlines nothing of a type that is only `package`.
@usableFromInline package struct FirstInFirstOut<Element> {
  /// The elements that arrived last, in order. All go after those in `front`.
  @usableFromInline var back: [Element] = []
  /// The elements that go first, in reverse order.
  @usableFromInline var front: [Element] = []

  @inlinable package init() {}

  @inlinable package var count: Int { front.count + back.count }
  @inlinable package var isEmpty: Bool { front.isEmpty && back.isEmpty }
  @inlinable package var first: Element? { front.last ?? back.first }

  @inlinable package mutating func append(_ element: Element) { back.append(element) }

  /// Puts an element before all others.
  @inlinable package mutating func prepend(_ element: Element) { front.append(element) }

  @inlinable package mutating func popFirst() -> Element? {
    if front.isEmpty {
      swap(&front, &back)
      front.reverse()
    }
    return front.popLast()
  }

  /// Removes the first element for which `isMeant` returns true. Takes time in proportion to the number of elements.
  @inlinable package mutating func remove(where isMeant: (Element) -> Bool) -> Element? {
    if let index = front.lastIndex(where: isMeant) { return front.remove(at: index) }
    return back.firstIndex(where: isMeant).map { back.remove(at: $0) }
  }
}

extension FirstInFirstOut: Sendable where Element: Sendable {}
