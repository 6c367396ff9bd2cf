internal import DequeModule

/// Elements in a queue for each owner. The owners take turns, so that a long queue delays only its own owner (round-robin
/// scheduling, which J. Nagle describes for packets in RFC 970).
package struct RoundRobin<Owner: Hashable & Sendable, Element: Sendable>: Sendable {
  private var queues: [Owner: Deque<Element>] = [:]
  /// The order of turns: each owner with a queue, once.
  private var turns = Deque<Owner>()
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  package func count(of owner: Owner) -> Int { queues[owner]?.count ?? 0 }

  package mutating func append(_ element: Element, of owner: Owner) {
    if queues[owner] == nil { turns.append(owner) }
    queues[owner, default: []].append(element)
    count += 1
  }

  /// Takes the next element of the owner whose turn it is, and gives the turn to the next owner.
  ///
  /// - Parameter mayGo: Whether an owner may have its turn now. If not, the owner keeps its place.
  /// - Returns: Nil if no owner who may go has an element.
  package mutating func popFirst(where mayGo: (Owner) -> Bool = { _ in true }) -> (owner: Owner, element: Element)? {
    var passedOver: [Owner] = []
    defer { if !passedOver.isEmpty { turns.prepend(contentsOf: passedOver) } }
    while let owner = turns.popFirst() {
      guard mayGo(owner) else {
        passedOver.append(owner)
        continue
      }
      guard let element = queues[owner]?.popFirst() else {
        // `remove` has taken all elements of this owner's queue
        queues[owner] = nil
        continue
      }
      count -= 1
      if queues[owner]?.isEmpty ?? true { queues[owner] = nil } else { turns.append(owner) }
      return (owner, element)
    }
    return nil
  }

  /// Removes the first of an owner's elements for which `isMeant` returns true. The others keep their order.
  package mutating func remove(of owner: Owner, where isMeant: (Element) -> Bool) -> Element? {
    guard let place = queues[owner]?.firstIndex(where: isMeant) else { return nil }
    count -= 1
    return queues[owner]?.remove(at: place)
  }
}
