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
