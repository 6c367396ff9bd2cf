/// What waits for its turn: users take turns, however much each of them has waiting, and a user's own is in order.
struct RoundRobin<Element> {
  private var queues: [UInt32: WaitingLine<Element>] = [:]
  /// Who has something waiting, in the order of the turns.
  private var users = WaitingLine<UInt32>()
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element, of user: UInt32) {
    count += 1
    if queues[user]?.append(element) == nil {
      queues[user] = WaitingLine(element)
      users.append(user)
    }
  }

  /// Takes one; the next turn is another user's.
  mutating func next() -> Element? {
    guard let user = users.next(), let element = queues[user]?.next() else { return nil }
    count -= 1
    if queues[user]?.isEmpty == false { users.append(user) } else { queues[user] = nil }
    return element
  }
}

/// First come, first served.
struct WaitingLine<Element> {
  private var elements: [Element?] = []
  /// Where the first stands; those before it have gone.
  private var head = 0

  init() {}
  init(_ element: Element) { elements = [element] }

  var isEmpty: Bool { head == elements.count }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func next() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      elements[head] = nil
      head += 1
      // the front is given back when it is half of all, so that taking one costs the same however many wait
      if head * 2 >= elements.count {
        elements.removeFirst(head)
        head = 0
      }
    }
    return elements[head]
  }
}
