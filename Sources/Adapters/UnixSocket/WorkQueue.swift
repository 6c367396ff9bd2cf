internal import AsyncPrimitives
internal import FairQueues
internal import Synchronization
internal import WorkerThreads

/// Runs work for the event loops under structured concurrency: every piece is a child task of `run`. Users take turns.
/// A piece waits here, not in Swift's pool, until a thread is free, because the pool does not know users.
///
/// The waiting work is bounded by the limits on connections and requests in flight, and by the deadlines of requests that were
/// committing when their caller disconnected.
struct WorkQueue: Sendable {
  typealias Work = @Sendable () async -> Void

  private enum Piece {
    /// The executor on which the task resumes after each wait, or nil for Swift's pool.
    case work(Work, (any TaskExecutor)?)
    /// Work in progress, such as a batch, that waits until its user may begin one more piece.
    case turn(Promise<Void>)
  }

  private struct State {
    var waiting = RoundRobin<UInt32, Piece>()
    var isClosed = false
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private let shared = Shared()
  private let calls: AsyncStream<Void>
  private let call: AsyncStream<Void>.Continuation
  private let deadlines: AsyncStream<ContinuousClock.Instant>
  private let closing: AsyncStream<ContinuousClock.Instant>.Continuation

  private let standBack: @Sendable () async -> Void

  /// - Parameter standBack: Lets work that is ready go first. Called between two pieces.
  init(standBack: @escaping @Sendable () async -> Void = { await Task.yield() }) {
    self.standBack = standBack
    // the stream keeps one element, because one call begins all waiting pieces
    (calls, call) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    (deadlines, closing) = AsyncStream.makeStream()
  }

  /// - Parameter executor: Nil for Swift's pool.
  func submit(_ work: @escaping Work, of user: UInt32, on executor: (any TaskExecutor)? = nil) {
    append(.work(work, executor), of: user)
  }

  /// Waits until the user may begin another piece of work that is not submitted by itself, such as an item of a batch.
  func turn(of user: UInt32) async {
    let begun = Promise<Void>()
    if append(.turn(begun), of: user) { await begun.value() }
  }

  /// - Returns: False if the queue is closed.
  @discardableResult
  private func append(_ piece: Piece, of user: UInt32) -> Bool {
    let isTaken = shared.state.withLock { state in
      if !state.isClosed { state.waiting.append(piece, of: user) }
      return !state.isClosed
    }
    if isTaken { call.yield() }
    return isTaken
  }

  /// Accepts no more work. `run` returns when all submitted work is done.
  ///
  /// - Parameter deadline: The time at which work that still runs is cancelled.
  func close(by deadline: ContinuousClock.Instant) {
    shared.state.withLock { $0.isClosed = true }
    call.finish()
    closing.yield(deadline)
  }

  func run() async {
    await withTaskGroup { group in
      group.addTask {
        await withDiscardingTaskGroup { pieces in
          for await _ in calls { await begin(in: &pieces) }
          // begins even work that is cancelled at once, because a connection waits for its answer
          await begin(in: &pieces)
        }
      }
      group.addTask {
        for await deadline in deadlines {
          try? await Task.sleep(until: deadline, clock: .continuous)
          return
        }
      }
      // The first task ends when all work is done, the second at the deadline. Either one then ends the other.
      await group.next()
      group.cancelAll()
    }
  }

  /// Begins all waiting pieces. After each, lets work that the pool already has go first.
  private func begin(in pieces: inout DiscardingTaskGroup) async {
    while let (piece, isLast) = shared.state.withLock({ state in
      state.waiting.popFirst().map { ($0.element, state.waiting.isEmpty) }
    }) {
      switch piece {
      case .work(let work, let executor): pieces.addTask(executorPreference: executor) { await work() }
      case .turn(let begun): begun.fulfill(())
      }
      if !isLast { await standBack() }
    }
  }
}

/// Threads that compute what would hold up an event loop, such as the answer to a call with long texts. Users take turns.
final class OffloadThreads: Sendable {
  /// Above 0, so that event loops, which do everything else, have priority.
  private static let niceness: Int32 = 5

  private let threads: WorkerThreads
  private let waiting = Mutex(RoundRobin<UInt32, @Sendable () -> Void>())

  init(threads count: Int) throws(WorkerThreads.StartFailure) {
    threads = try WorkerThreads(name: "regd-texts", count: count, niceness: Self.niceness)
  }

  /// - Parameter done: Called with the answer, on one of the threads.
  func answer(
    _ compute: @escaping @Sendable () -> any Sendable, of user: UInt32, done: @escaping @Sendable (any Sendable) -> Void
  ) {
    waiting.withLock { $0.append({ done(compute()) }, of: user) }
    // Submits one run per computation. The users' turns determine which waiting computation a run takes.
    threads.submit { [self] in waiting.withLock { $0.popFirst() }?.element() }
  }

  /// Does all waiting computations, and ends the threads.
  func stop() { threads.stop() }
}
