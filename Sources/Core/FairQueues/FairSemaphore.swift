internal import AsyncPrimitives
internal import Synchronization

/// A semaphore with a fair queue: at most `width` members work at a time, each at a numbered place. The waiting groups
/// (users) take turns, and so do the members (origins) of a group. So a group with thousands of waiting members delays
/// another group by the work of one member only. A group whose members work long gets no more than its share of the
/// places while others wait, and never the last places.
///
/// A member may also need locks. A member gets its locks together with its place: it keeps no lock while it waits for a
/// place, and no place while it waits for a lock. A member that finds a lock taken waits beside the queue. When the
/// lock is free, one such member of each group goes to the front of its group, and the first whose turn comes gets the
/// lock.
///
/// If a member finds its locks taken again and again, sometimes one and sometimes another, it works in the end although
/// they are taken. So the locks only save places, and protect nothing.
package final class FairSemaphore<Group: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  private let state: Mutex<State>

  /// - Parameters:
  ///   - width: The number of places, 1 or more.
  ///   - share: How many places a group may have while other groups wait, or nil for all.
  ///   - reserve: How many places remain free for other groups, even while none of them waits. Only a group that has
  ///     no place takes one of these.
  package init(width: Int = 1, share: Int? = nil, reserve: Int = 0) {
    state = Mutex(State(width: width, share: share ?? width, reserve: reserve))
  }

  /// How many members wait.
  package var count: Int { state.withLock { $0.count } }

  /// Waits until a place and the locks are free and it is the member's turn, then runs `body`.
  ///
  /// - Parameters:
  ///   - locks: The numbers of the locks. Members with a lock in common usually work one after another.
  ///   - isLate: Whether `body` runs even if the task is cancelled while it waits.
  ///   - cancelled: Thrown if the task is cancelled while it waits, unless `isLate`.
  ///   - body: Gets the number of its place, from 0.
  package func turn<Value: Sendable, Failure: Error>(
    of group: Group, _ member: Member, at locks: Set<Int> = [], evenIfLate isLate: Bool, orThrow cancelled: Failure,
    _ body: (_ place: Int) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let waiter = Waiter(group: group, member: member, locks: locks)
    guard let place = await enter(waiter, isLate) else { throw cancelled }
    defer { fulfil(state.withLock { $0.leave(place, waiter) }) }
    return try await body(place)
  }

  private func enter(_ waiter: Waiter, _ isLate: Bool) async -> Int? {
    guard isLate || !Task.isCancelled else { return nil }
    fulfil(state.withLock { $0.enter(waiter) })
    return await waiter.place.value {
      guard !isLate else { return }
      self.fulfil(self.state.withLock { $0.cancel(waiter) })
    }
  }

  private func fulfil(_ turns: [(waiter: Waiter, place: Int?)]) {
    for (waiter, place) in turns { waiter.place.fulfill(place) }
  }
}

extension FairSemaphore {
  struct Waiter: Sendable {
    let group: Group
    let member: Member
    let locks: Set<Int>
    /// Gets the number of the place, or nil if the member was cancelled.
    let place = Promise<Int?>()
    /// The lock for which the member has waited, and for which it was recalled into the queue.
    var awaited: Int?
    /// How often the member was recalled for a free lock, and then found another one taken.
    var recallsInVain = 0
  }

  /// The members who wait for one lock.
  struct LockQueue: Sendable {
    var waiting = FairQueue<Group, Member, Waiter>()
    /// How many members of each group are back in the places' queue. A group without such members has no entry.
    var recalled: [Group: Int] = [:]
    /// The groups in `waiting` and `recalled`. The group that has had the lock last is the last.
    var groups: [Group] = []

    mutating func append(_ waiter: Waiter) {
      if !groups.contains(waiter.group) { groups.append(waiter.group) }
      // a member that was recalled in vain goes before its group's others
      waiting.append(waiter, of: waiter.group, waiter.member, isPreferred: waiter.awaited != nil)
    }

    mutating func moveBack(_ group: Group) {
      guard let place = groups.firstIndex(of: group) else { return }
      groups.append(groups.remove(at: place))
    }

    mutating func endRecall(of group: Group) {
      let left = recalled[group, default: 0] - 1
      recalled[group] = left > 0 ? left : nil
    }

    mutating func forgetIfAway(_ group: Group) {
      guard waiting.count(of: group) == 0, recalled[group] == nil else { return }
      groups.removeAll { $0 == group }
    }
  }

  struct State: Sendable {
    private let share: Int
    private let reserve: Int
    private var free: [Int]
    /// How many places each group has. A group without places has no entry.
    private var held: [Group: Int] = [:]
    /// How many members at work have each lock. A free lock has no entry.
    private var taken: [Int: Int] = [:]
    private var queue = FairQueue<Group, Member, Waiter>()
    /// By lock. Each member here waits for a lock that is taken. If the lock is free, the queue already contains a
    /// member of the same group that has also waited for this lock.
    private var aside: [Int: LockQueue] = [:]

    init(width: Int, share: Int, reserve: Int) {
      (free, self.share, self.reserve) = (Array((0..<width).reversed()), share, reserve)
    }

    var count: Int { queue.count + aside.values.reduce(0) { $0 + $1.waiting.count } }

    mutating func enter(_ waiter: Waiter) -> [(waiter: Waiter, place: Int?)] {
      append(waiter)
      return giveTurns()
    }

    mutating func leave(_ place: Int, _ waiter: Waiter) -> [(waiter: Waiter, place: Int?)] {
      let left = held[waiter.group, default: 0] - 1
      held[waiter.group] = left > 0 ? left : nil
      free.append(place)
      for lock in waiter.locks {
        let left = taken[lock, default: 0] - 1
        taken[lock] = left > 0 ? left : nil
        if left <= 0 { recall(to: lock) }
      }
      return giveTurns()
    }

    mutating func cancel(_ waiter: Waiter) -> [(waiter: Waiter, place: Int?)] {
      let isMeant = { (other: Waiter) in other.place == waiter.place }
      if let found = queue.remove(of: waiter.group, waiter.member, where: isMeant) {
        endRecall(of: found)
        return [(found, nil)] + giveTurns()
      }
      for lock in waiter.locks {
        guard let found = aside[lock]?.waiting.remove(of: waiter.group, waiter.member, where: isMeant) else { continue }
        forgetIfAway(waiter.group, from: lock)
        return [(found, nil)]
      }
      // the member has already got its place
      return []
    }

    /// Gives places to members in the queue, as long as any may have one.
    private mutating func giveTurns() -> [(waiter: Waiter, place: Int?)] {
      var turns: [(waiter: Waiter, place: Int?)] = []
      while var waiter = next() {
        guard waiter.recallsInVain >= FairSemaphoreBounds.recallsInVain || taken(of: waiter) == nil else {
          if let lock = waiter.awaited, taken[lock] == nil { waiter.recallsInVain += 1 }
          append(waiter)
          endRecall(of: waiter)
          continue
        }
        guard let place = free.popLast() else { preconditionFailure("a turn without a free place") }
        held[waiter.group, default: 0] += 1
        for lock in waiter.locks {
          taken[lock, default: 0] += 1
          aside[lock]?.moveBack(waiter.group)
        }
        endRecall(of: waiter)
        turns.append((waiter, place))
      }
      return turns
    }

    /// Takes the next member of a group that has less than its share, or of any group if there is no such group.
    private mutating func next() -> Waiter? {
      guard !free.isEmpty else { return nil }
      let (held, share, leavesReserve) = (held, share, free.count > reserve)
      let mayTake = { (group: Group) in held[group] == nil || leavesReserve }
      return (queue.popFirst { mayTake($0) && held[$0, default: 0] < share } ?? queue.popFirst(where: mayTake))?.element
    }

    /// Puts a member into the queue, or aside if one of its locks is taken.
    private mutating func append(_ waiter: Waiter) {
      guard let lock = taken(of: waiter) else {
        queue.append(waiter, of: waiter.group, waiter.member)
        return
      }
      aside[lock, default: LockQueue()].append(waiter)
    }

    /// One of the member's locks that is taken, or nil if all are free.
    private func taken(of waiter: Waiter) -> Int? { waiter.locks.first { taken[$0] != nil } }

    /// Brings one member of each group that waits for the lock back into the queue, unless one is there.
    private mutating func recall(to lock: Int) {
      guard let queue = aside[lock] else { return }
      for group in queue.groups where queue.recalled[group] == nil { recall(group, to: lock) }
    }

    private mutating func recall(_ group: Group, to lock: Int) {
      guard var waiter = aside[lock]?.waiting.popFirst(where: { $0 == group })?.element else { return }
      aside[lock]?.recalled[group, default: 0] += 1
      waiter.awaited = lock
      queue.append(waiter, of: group, waiter.member, isPreferred: true)
    }

    /// Must be called when a member has left the queue. If the lock for which the member had been recalled is still
    /// free, another member of its group is recalled.
    private mutating func endRecall(of waiter: Waiter) {
      guard let lock = waiter.awaited else { return }
      aside[lock]?.endRecall(of: waiter.group)
      if taken[lock] == nil { recall(waiter.group, to: lock) }
      forgetIfAway(waiter.group, from: lock)
    }

    private mutating func forgetIfAway(_ group: Group, from lock: Int) {
      aside[lock]?.forgetIfAway(group)
      if aside[lock]?.groups.isEmpty ?? false { aside[lock] = nil }
    }
  }
}

private enum FairSemaphoreBounds {
  /// How often a member is recalled in vain before it works although one of its locks is taken.
  static let recallsInVain = 8
}
