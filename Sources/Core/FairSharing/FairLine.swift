internal import Synchronization
internal import Waiting

/// A semaphore with a fair queue: at most `width` members work at a time, each at a numbered place. The waiting groups
/// (users) take turns, and so do the members (origins) of a group. So a group with thousands of waiting members delays
/// another group by the work of one member only. A group whose members work long gets no more than its share of the places while
/// others wait.
package final class FairLine<Group: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  fileprivate struct State {
    /// The free places.
    var free: [Int]
    /// Each promise gets the number of a place; nil if the member was cancelled.
    var waiting = FairQueue<Group, Member, Promise<Int?>>()
    /// How many places each group has; absent for none.
    var held: [Group: Int] = [:]
  }

  private let state: Mutex<State>
  /// How many places a group may have while other groups wait.
  private let share: Int

  /// - Parameters:
  ///   - width: The number of places; 1 or more.
  ///   - share: How many places a group may have while other groups wait; nil for all.
  package init(width: Int = 1, share: Int? = nil) {
    state = Mutex(State(free: Array((0..<width).reversed())))
    self.share = share ?? width
  }

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
    defer { leave(place, group) }
    return try await body(place)
  }

  private func enter(_ group: Group, _ member: Member, _ isLate: Bool) async -> Int? {
    guard isLate || !Task.isCancelled else { return nil }
    let waiter = Promise<Int?>()
    let place: Int? = state.withLock { state in
      if let place = state.free.popLast() {
        state.held[group, default: 0] += 1
        return place
      }
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

  private func leave(_ place: Int, _ group: Group) {
    let next = state.withLock { state in
      let held = state.held[group, default: 0] - 1
      state.held[group] = held > 0 ? held : nil
      guard let next = state.popFirst(share) else {
        state.free.append(place)
        return nil as Promise<Int?>?
      }
      state.held[next.group, default: 0] += 1
      return next.element
    }
    next?.fulfill(place)
  }
}

extension FairLine.State {
  /// Takes the next waiting member of a group that has less than its share, or of any group if there is no such group.
  fileprivate mutating func popFirst(_ share: Int) -> (group: Group, element: Promise<Int?>)? {
    let held = held
    return waiting.popFirst { held[$0, default: 0] < share } ?? waiting.popFirst()
  }
}
