internal import DequeModule

/// A queue with two levels of round-robin: groups (users) take turns, and so do the members of a group (a user's origins). The
/// elements of one member are served in order, so a long queue delays only its own member.
///
/// Has no limits: its owner decides how many elements a group or a member may have.
package struct FairQueue<Group: Hashable & Sendable, Member: Hashable & Sendable, Element: Sendable>: Sendable {
  private struct Company: Sendable {
    var preferred = RoundRobin<Member, Element>()
    var others = RoundRobin<Member, Element>()
    var count: Int { preferred.count + others.count }
  }

  private var companies: [Group: Company] = [:]
  /// One entry for each element, under its group. The order of these entries decides which group is served next.
  private var turns = RoundRobin<Group, Void>()

  package init() {}

  package var count: Int { turns.count }
  package func count(of group: Group) -> Int { companies[group]?.count ?? 0 }

  /// The number of a member's elements, without the preferred ones.
  package func count(of group: Group, _ member: Member) -> Int { companies[group]?.others.count(of: member) ?? 0 }

  /// - Parameter isPreferred: Whether the element goes before its group's elements that are not preferred. The turns of the
  ///   groups do not change.
  package mutating func append(_ element: Element, of group: Group, _ member: Member, isPreferred: Bool = false) {
    turns.append((), of: group)
    if isPreferred {
      companies[group, default: Company()].preferred.append(element, of: member)
    } else {
      companies[group, default: Company()].others.append(element, of: member)
    }
  }

  /// Takes the next element.
  ///
  /// - Parameter mayGo: Whether a group may have its turn now. A group that may not have it keeps its place.
  /// - Returns: Nil if no group that may go has an element.
  package mutating func popFirst(where mayGo: (Group) -> Bool = { _ in true }) -> (group: Group, element: Element)? {
    guard let group = turns.popFirst(where: mayGo)?.owner else { return nil }
    let preferred = companies[group]?.preferred.popFirst()
    guard let element = (preferred ?? companies[group]?.others.popFirst())?.element else { return nil }
    forgetIfEmpty(group)
    return (group, element)
  }

  /// Removes and returns the first of a member's elements for which `isMeant` is true. Returns nil if no element matches.
  package mutating func remove(of group: Group, _ member: Member, where isMeant: (Element) -> Bool) -> Element? {
    let preferred = companies[group]?.preferred.remove(of: member, where: isMeant)
    guard let element = preferred ?? companies[group]?.others.remove(of: member, where: isMeant) else { return nil }
    _ = turns.remove(of: group) { _ in true }
    forgetIfEmpty(group)
    return element
  }

  private mutating func forgetIfEmpty(_ group: Group) {
    if companies[group]?.count == 0 { companies[group] = nil }
  }
}

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
