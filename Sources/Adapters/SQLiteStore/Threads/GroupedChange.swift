internal import FairQueues
internal import Registration
internal import Synchronization

/// A change that may share its commit with others. A change that was rolled back because of another one is run again.
protocol GroupedChange: Sendable {
  var scope: ChangeScope { get }
  /// When the change began to wait. It waits for another program's lock from then on, and not only from its turn on.
  var begun: ContinuousClock.Instant { get }

  /// Runs the change, and keeps its answer.
  func run(_ transaction: SQLiteTransaction) throws(SQLiteFailure)
  /// Reports how the change ended. Called once, by the writer.
  ///
  /// - Parameter failure: Why the change was not made, or may not have been. Nil if the kept answer is valid.
  func end(_ failure: StoreFailure?)
}

typealias ChangeQueue = GroupCommitQueue<UInt32?, Origin?, any GroupedChange>

/// How many changes may share a commit.
struct GroupBounds: Sendable {
  var changes = 128
  /// After this time, no further change joins the group, because the first change waits for all of them.
  var span = Duration.milliseconds(10)
}

/// A change whose caller waits for its answer.
final class PendingChange<Value: Sendable>: GroupedChange {
  typealias Body = @Sendable (SQLiteTransaction) throws(SQLiteFailure) -> Value

  private enum State {
    case waits
    case ran(Value)
    case ended(Result<Value, StoreFailure>)
  }

  let scope: ChangeScope
  let begun: ContinuousClock.Instant
  private let body: Body
  private let state = Mutex(State.waits)

  init(_ scope: ChangeScope, begun: ContinuousClock.Instant = .now, _ body: @escaping Body) {
    self.scope = scope
    self.begun = begun
    self.body = body
  }

  func run(_ transaction: SQLiteTransaction) throws(SQLiteFailure) {
    let value = try body(transaction)
    state.withLock { $0 = .ran(value) }
  }

  func end(_ failure: StoreFailure?) {
    state.withLock { state in
      switch (state, failure) {
      case (_, let failure?): state = .ended(.failure(failure))
      case (.ran(let value), nil): state = .ended(.success(value))
      case (.waits, nil), (.ended, nil): break
      }
    }
  }

  /// The answer, once the change has ended.
  func answer() throws(StoreFailure) -> Value {
    guard case .ended(let result) = state.withLock({ $0 }) else {
      throw .unavailable(detail: "the change was not done")
    }
    return try result.get()
  }
}
