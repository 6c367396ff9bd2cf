internal import Synchronization
internal import Waiting

/// Locks with a fair queue each. A member names all that it needs, and works alone with it: members that need something in common
/// work one after another, and all others beside each other. At each lock the waiting groups (users) take turns, and so do the
/// members (origins) of a group.
///
/// Members take locks in ascending order, so no two wait for each other.
package final class KeyedLine<Group: Hashable & Sendable, Member: Hashable & Sendable>: Sendable {
  /// Each promise gets whether the member has the lock; false if the member was cancelled.
  fileprivate typealias Waiting = FairQueue<Group, Member, Promise<Bool>>

  fileprivate struct State {
    /// The waiting members, by lock; a lock that is free is absent.
    var locks: [Int: Waiting] = [:]
    var waiting = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// How many members wait.
  package var count: Int { state.withLock { $0.waiting } }

  /// Waits until all locks are free and it is the member's turn at each, then runs `body`.
  ///
  /// - Parameters:
  ///   - locks: The numbers of the locks.
  ///   - isLate: Whether `body` runs even if the task is cancelled while it waits.
  ///   - cancelled: Thrown if the task is cancelled while it waits, unless `isLate`.
  package func turn<Value: Sendable, Failure: Error>(
    of group: Group, _ member: Member, at locks: Set<Int>, evenIfLate isLate: Bool, orThrow cancelled: Failure,
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let locks = locks.sorted()
    var held = 0
    defer { leave(locks.prefix(held)) }
    while held < locks.count {
      let waiter = Promise<Bool>()
      let taken = state.withLock { state in state.take(locks[held...], waiter, group, member) }
      held += taken
      guard held < locks.count else { break }
      let lock = locks[held]
      let isTurn = await waiter.value {
        guard !isLate else { return }
        // a waiter that is not found has already got the lock
        self.state.withLock { $0.remove(waiter, at: lock, group, member) }?.fulfill(false)
      }
      guard isTurn else { throw cancelled }
      held += 1
    }
    return try await body()
  }

  private func leave(_ locks: ArraySlice<Int>) {
    let next = state.withLock { state in locks.compactMap { state.leave($0) } }
    for waiter in next { waiter.fulfill(true) }
  }
}

extension KeyedLine.State {
  /// Takes the free locks up to the first that is not free, where the waiter then waits.
  ///
  /// - Returns: How many locks were taken.
  fileprivate mutating func take(
    _ wanted: ArraySlice<Int>, _ waiter: Promise<Bool>, _ group: Group, _ member: Member
  ) -> Int {
    for (taken, lock) in wanted.enumerated() {
      guard locks[lock] == nil else {
        locks[lock]?.append(waiter, of: group, member)
        waiting += 1
        return taken
      }
      locks[lock] = KeyedLine.Waiting()
    }
    return wanted.count
  }

  fileprivate mutating func remove(
    _ waiter: Promise<Bool>, at lock: Int, _ group: Group, _ member: Member
  ) -> Promise<Bool>? {
    guard let found = locks[lock]?.remove(of: group, member, where: { $0 == waiter }) else { return nil }
    waiting -= 1
    return found
  }

  /// Frees a lock, or gives it to the next waiter.
  fileprivate mutating func leave(_ lock: Int) -> Promise<Bool>? {
    guard let next = locks[lock]?.popFirst()?.element else {
      locks[lock] = nil
      return nil
    }
    waiting -= 1
    return next
  }
}
