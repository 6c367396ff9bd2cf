/// Brings work from the event loops into structured concurrency: every piece is a child task of `run`.
///
/// How much can wait is bounded by the connections and what each may have in flight.
struct WorkQueue: Sendable {
  typealias Work = @Sendable () async -> Void

  private enum Item: Sendable {
    case work(Work)
    case cancelAll
  }

  private let items: AsyncStream<Item>
  private let continuation: AsyncStream<Item>.Continuation

  init() { (items, continuation) = AsyncStream.makeStream() }

  func submit(_ work: @escaping Work) { continuation.yield(.work(work)) }

  /// No more work; `run` returns when what was submitted is done.
  ///
  /// - Parameter force: Cancels what is being done.
  func close(force: Bool) {
    if force { continuation.yield(.cancelAll) }
    continuation.finish()
  }

  func run() async {
    await withDiscardingTaskGroup { group in
      for await item in items {
        switch item {
        case .work(let work): group.addTask { await work() }
        case .cancelAll: group.cancelAll()
        }
      }
    }
  }
}
