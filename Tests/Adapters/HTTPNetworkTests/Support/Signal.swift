import Dispatch

/// Something that happens once, and that tasks and threads may wait for.
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

  /// For a thread of one's own.
  func block() {
    semaphore.wait()
    semaphore.signal()
  }
}
