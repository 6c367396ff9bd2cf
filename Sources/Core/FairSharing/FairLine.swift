internal import Synchronization
internal import Waiting

/// A semaphore with a fair queue: at most `width` members work at a time, each at a numbered place. The waiting groups
/// (users) take turns, and so do the members (origins) of a group. So a group with thousands of waiting members delays
/// another group by the work of one member only.
package final class FairLine<Group: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  private struct State {
    /// The free places.
    var free: [Int]
    /// Each promise gets the number of a place; nil if the member was cancelled.
    var waiting = FairQueue<Group, Member, Promise<Int?>>()
  }

  private let state: Mutex<State>

  /// - Parameter width: The number of places; 1 or more.
  package init(width: Int = 1) { state = Mutex(State(free: Array((0..<width).reversed()))) }

  /// How many members wait.
  package var count: Int { state.withLock { $0.waiting.count } }

  /// Waits until a place is free and it is the member's turn, then runs `body`.
  ///
  /// - Parameters:
  ///   - isLate: Whether `body` runs even if the task is cancelled while it waits.
  ///   - cancelled: Thrown if the task is cancelled while it waits, unless `isLate`.
  ///   - body: Gets the number of its place, from 0.
  package func turn<Value: Sendable, Failure: Error>(
    of group: Group, _ member: Member, evenIfLate isLate: Bool, orThrow cancelled: Failure,
    _ body: (_ place: Int) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    guard let place = await enter(group, member, isLate) else { throw cancelled }
    defer { leave(place) }
    return try await body(place)
  }

  private func enter(_ group: Group, _ member: Member, _ isLate: Bool) async -> Int? {
    guard isLate || !Task.isCancelled else { return nil }
    let waiter = Promise<Int?>()
    let place: Int? = state.withLock { state in
      if let place = state.free.popLast() { return place }
      state.waiting.append(waiter, of: group, member)
      return nil
    }
    if let place { return place }
    return await waiter.value {
      guard !isLate else { return }
      // a waiter that is not found has already got its place
      self.state.withLock { $0.waiting.remove(of: group, member) { $0 == waiter } }?.fulfill(nil)
    }
  }

  private func leave(_ place: Int) {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()?.element
      if next == nil { state.free.append(place) }
      return next
    }
    next?.fulfill(place)
  }
}
