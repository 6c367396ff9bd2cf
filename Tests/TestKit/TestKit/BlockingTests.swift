internal import Glibc
internal import Linux
private import Synchronization
package import Testing
internal import WorkerThreads

/// Runs a suite's tests on threads that they may block, for example by waiting for a regd that they started.
///
/// All tests of a process begin at once. On the pool that they share, which has a thread for each processor, tests that
/// wait for another process would block the others. All suites with this trait share four other threads. A nested suite
/// inherits the trait.
///
/// The suites are also checked like those with `.leavesNothing`.
package struct BlockingTests: SuiteTrait, TestScoping {
  private static let threads = Result { try WorkerThreads(name: "blocking-tests", count: 4) }

  /// Covers the whole suite, so that a test's time limit begins when a thread takes the test up.
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let executor = BlockableThreads(threads: try Self.threads.get(), suite: "\(test.id)")
    defer { Self.note(executor.busy, of: test) }
    try await LeavesNothing.check {
      try await withTaskExecutorPreference(executor) { try await function() }
    }
  }

  /// Appends the suite's time on its threads to the file that `TEST_TIMES` names. The times that the testing library
  /// reports include the wait for a thread.
  private static func note(_ busy: Duration, of suite: Test) {
    guard let path = getenv("TEST_TIMES"), let file = fopen(path, "a") else { return }
    defer { fclose(file) }
    fputs("\(busy / .seconds(1)) \(suite.id)\n", file)
  }
}

extension Trait where Self == BlockingTests {
  /// The suite's tests may block their threads.
  package static var blocking: Self { BlockingTests() }
}

private final class BlockableThreads: TaskExecutor {
  private let threads: WorkerThreads
  private let suite: String
  private let spent = Mutex(Duration.zero)

  init(threads: WorkerThreads, suite: String) {
    self.threads = threads
    self.suite = suite
  }

  /// How long jobs of this executor have had a thread.
  var busy: Duration { spent.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.submit { [self] in
      let end = HangWatch.begin(suite)
      let time = ContinuousClock().measure { job.runSynchronously(on: asUnownedTaskExecutor()) }
      HangWatch.end(end)
      spent.withLock { $0 += time }
    }
  }
}

/// Ends the process with the suite's name if a test blocks its thread for 15 minutes. A time limit of the testing
/// library cannot end such a test, and a hung run would be ended from outside without a name.
private enum HangWatch {
  private static let bound = Duration.seconds(900)
  private static let running = Mutex<(next: Int, jobs: [Int: (suite: String, since: ContinuousClock.Instant)])>(
    (0, [:]))
  private static let watcher = Result {
    try StartedThread(name: "hang-watch", niceness: 0) {
      while true {
        sleep(10)
        let hung = running.withLock { $0.jobs.values.first { $0.since < .now - bound } }
        guard let hung else { continue }
        let text = Array("\nFAIL: a test of \(hung.suite) has blocked its thread for \(bound)\n".utf8)
        _ = write(STDERR_FILENO, text, text.count)
        exit(EXIT_FAILURE)
      }
    }
  }

  /// - Returns: The number for `end`.
  static func begin(_ suite: String) -> Int {
    _ = watcher
    return running.withLock {
      $0.next += 1
      $0.jobs[$0.next] = (suite, .now)
      return $0.next
    }
  }

  static func end(_ number: Int) { running.withLock { $0.jobs[number] = nil } }
}
