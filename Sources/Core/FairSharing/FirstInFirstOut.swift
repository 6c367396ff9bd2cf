/// Elements in the order in which they came. Taking the first costs the same however many wait.
struct FirstInFirstOut<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  /// Where the first stands; those before it are done with.
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
    // the front is given back when it is half of all
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }

  /// Takes the first for which `isMeant` holds. Looks at all of them.
  mutating func remove(where isMeant: (Element) -> Bool) -> Element? {
    guard let index = elements[head...].firstIndex(where: { $0.map(isMeant) ?? false }) else { return nil }
    return elements.remove(at: index)
  }
}
