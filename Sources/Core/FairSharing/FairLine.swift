internal import Synchronization
internal import Waiting

/// A queue for a number of places, at each of which one member works at a time. Groups take turns, and so do the
/// members of a group, so that a group with thousands in the queue delays another group by only one of them.
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

  /// The length of the queue.
  package var count: Int { state.withLock { $0.waiting.count } }

  /// Runs `body` when the member's turn has come.
  ///
  /// - Parameters:
  ///   - isLate: Whether a cancelled member still has its turn.
  ///   - cancelled: The error if the task is cancelled before its turn.
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
      // a waiter that is not found has already had its turn
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
