/// Brings work from the event loops into structured concurrency: every piece is a child task of `run`.
///
/// How much can wait is bounded by the connections and what each may have in flight, and by what callers who have gone had
/// begun to commit, which every request's deadline ends.
struct WorkQueue: Sendable {
  typealias Work = @Sendable () async -> Void

  private let work: AsyncStream<Work>
  private let submission: AsyncStream<Work>.Continuation
  private let deadlines: AsyncStream<ContinuousClock.Instant>
  private let closing: AsyncStream<ContinuousClock.Instant>.Continuation

  init() {
    (work, submission) = AsyncStream.makeStream()
    (deadlines, closing) = AsyncStream.makeStream()
  }

  func submit(_ work: @escaping Work) { submission.yield(work) }

  /// No more work; `run` returns when what was submitted is done, whoever waits for it or not.
  ///
  /// - Parameter deadline: When what is still being done is cancelled.
  func close(by deadline: ContinuousClock.Instant) {
    submission.finish()
    closing.yield(deadline)
  }

  func run() async {
    await withTaskGroup { group in
      group.addTask {
        await withDiscardingTaskGroup { pieces in
          for await piece in work { pieces.addTask { await piece() } }
        }
      }
      group.addTask {
        for await deadline in deadlines {
          try? await Task.sleep(until: deadline, clock: .continuous)
          return
        }
      }
      // the work is done, or its time is over: either ends the other
      await group.next()
      group.cancelAll()
    }
  }
}
