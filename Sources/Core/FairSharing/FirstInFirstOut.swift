/// A queue: elements in the order of their arrival. Taking the first costs amortized constant time.
struct FirstInFirstOut<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  /// The index of the first element; the slots before it are empty.
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) { elements.append(element) }

  /// Puts an element before all others.
  mutating func prepend(_ element: Element) {
    guard head > 0 else { return elements.insert(element, at: 0) }
    head -= 1
    elements[head] = element
  }

  mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    // empty slots are removed once they are half of all slots
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }

  /// Removes the first element for which `isMeant` returns true. Takes time in proportion to the number of elements.
  mutating func remove(where isMeant: (Element) -> Bool) -> Element? {
    guard let index = elements[head...].firstIndex(where: { $0.map(isMeant) ?? false }) else { return nil }
    return elements.remove(at: index)
  }
}
