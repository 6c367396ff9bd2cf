internal import FairQueues
internal import Liveness
internal import Registration
internal import WorkerThreads

/// Reads on a separate connection and thread. In WAL mode a reader waits for no writer, neither regd's nor another
/// program's, and sees every commit that was acknowledged before the read.
///
/// Users take turns, and so do the origins of a user: the queue is in front of the thread, and only a few reads at a
/// time wait at the thread itself.
actor SQLiteReader {
  private let executor: ThreadExecutor
  private var connection: Connection?
  private let lockWait: LockWait
  private let semaphore = FairSemaphore<UInt32?, Origin?>(width: mostAtThread)
  /// Lets one pause after another take places of `semaphore`, because each needs all of them.
  private let pauses = FairSemaphore<UInt32?, Origin?>()

  /// How many reads wait at the thread or run there, so that it need not wait for the next one. A user waits for at
  /// most this many reads of others, and then for its turn.
  static let mostAtThread = 4

  /// A probe that is answered on the thread, between two reads and during a long read.
  nonisolated func probe(_ name: String) -> Probe { lockWait.probe(name, on: executor) }

  /// How many reads wait for their turn.
  nonisolated var waiting: Int { semaphore.count }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ connection: sending Connection, name: String) throws(WorkerThreads.StartFailure) {
    executor = try ThreadExecutor(name: name)
    lockWait = connection.lockWait
    connection.watchStatements(untilCancelled: true)
    self.connection = connection
  }

  func close() { connection = nil }

  /// Runs a read when it is the turn of the current task's share. Skipped if the caller was cancelled while queued, and
  /// stopped if the caller is cancelled during the read.
  ///
  /// - Parameter body: Must not write.
  nonisolated func read<Value: Sendable>(
    _ body: @Sendable (Connection) throws(SQLiteFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let share = Share.current
    return try await semaphore.turn(of: share.uid, share.origin, evenIfLate: false, orThrow: .cancelled) {
      (_) async throws(StoreFailure) in try await run(body)
    }
  }

  /// Runs `body` while no read is in progress. Waits for the reads that have begun, in the turn of regd's own share. Later
  /// reads wait until `body` has ended.
  nonisolated func pause<Value: Sendable>(
    _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let share = Share.daemon
    return try await pauses.turn(of: share.uid, share.origin, evenIfLate: false, orThrow: .cancelled) {
      (_) async throws(StoreFailure) in try await occupy(Self.mostAtThread, body)
    }
  }

  /// Runs `body` in this many places of the semaphore.
  private nonisolated func occupy<Value: Sendable>(
    _ places: Int, _ body: () async throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    guard places > 0 else { return try await body() }
    let share = Share.daemon
    return try await semaphore.turn(of: share.uid, share.origin, evenIfLate: false, orThrow: .cancelled) {
      (_) async throws(StoreFailure) in try await occupy(places - 1, body)
    }
  }

  private func run<Value: Sendable>(
    _ body: @Sendable (Connection) throws(SQLiteFailure) -> Value
  ) throws(StoreFailure) -> Value {
    guard !Task.isCancelled else { throw .cancelled }
    guard let connection else { throw .unavailable(detail: "the database is closed") }
    do {
      return try body(connection)
    } catch {
      if let row = error.row { connection.damage?.note(row) }
      throw error.storeFailure
    }
  }
}
