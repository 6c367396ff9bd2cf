internal import RegdProcesses
package import Testing
internal import WorkerThreads

/// Runs a suite's tests on threads that they may block, for example by waiting for a regd that they started.
///
/// All tests of a process begin at once. On the pool that they share, which has a thread for each processor, tests that
/// wait for another process would block the others. All suites with this trait share four other threads. A nested suite
/// inherits the trait.
///
/// A suite fails if a temporary directory or a process of its tests remains at its end.
package struct BlockingTests: SuiteTrait, TestScoping {
  private static let threads = Result { try WorkerThreads(name: "blocking-tests", count: 4) }

  /// Covers the whole suite, so that a test's time limit begins when a thread takes the test up.
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let leftovers = Leftovers()
    try await Leftovers.$current.withValue(leftovers) {
      try await withTaskExecutorPreference(BlockableThreads(threads: try Self.threads.get())) { try await function() }
    }
    for remaining in leftovers.remaining() { Issue.record("the suite has left \(remaining)") }
  }
}

extension Trait where Self == BlockingTests {
  /// The suite's tests may block their threads.
  package static var blocking: Self { BlockingTests() }
}

private final class BlockableThreads: TaskExecutor {
  private let threads: WorkerThreads

  init(threads: WorkerThreads) { self.threads = threads }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
