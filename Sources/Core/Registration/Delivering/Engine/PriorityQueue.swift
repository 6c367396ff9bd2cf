/// A binary heap (J. Williams, Algorithm 232, 1964): the first element is immediately available, and adding or removing one costs
/// the logarithm of their number. regd has its own, because Registration imports the standard library only.
struct PriorityQueue<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private let goesBefore: @Sendable (Element, Element) -> Bool

  init(_ goesBefore: @escaping @Sendable (Element, Element) -> Bool) { self.goesBefore = goesBefore }

  var first: Element? { elements.first }
  var count: Int { elements.count }

  mutating func removeAll() { elements.removeAll(keepingCapacity: true) }

  mutating func append(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, goesBefore(elements[index], elements[(index - 1) / 2]) {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func popFirst() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return first }
    elements[0] = last
    var index = 0
    while let child = earlierChild(of: index), goesBefore(elements[child], elements[index]) {
      elements.swapAt(index, child)
      index = child
    }
    return first
  }

  private func earlierChild(of index: Int) -> Int? {
    let (left, right) = (2 * index + 1, 2 * index + 2)
    guard left < elements.count else { return nil }
    return right < elements.count && goesBefore(elements[right], elements[left]) ? right : left
  }
}
