import Dispatch

/// An event that happens once. Tasks and threads may wait for it.
final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation
  private let semaphore = DispatchSemaphore(value: 0)

  init() { (stream, end) = AsyncStream.makeStream() }

  func raise() {
    end.finish()
    semaphore.signal()
  }

  func wait() async { for await _ in stream {} }

  /// Blocks the calling thread. Not for the threads of tasks.
  func block() {
    semaphore.wait()
    semaphore.signal()
  }
}
