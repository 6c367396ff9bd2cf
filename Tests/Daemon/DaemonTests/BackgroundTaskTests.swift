import Logging
import Methods
import Registration
import Synchronization
import TestDoubles
import Testing

@testable import Daemon

/// Background tasks over a store whose first two operations fail.
@Suite("Background tasks in the log")
struct BackgroundTaskTests {
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let details = (event.metadata ?? [:]).filter { $0.key != LogRecord.idKey }.map { "\($0.key)=\($0.value)" }
      lines.add("\(event.level): \(event.message) (\(details.sorted().joined(separator: " ")))")
    }
  }

  private let lines: Lines
  private let background: BackgroundHealth
  private let store = FaultyStore(FaultyStore(MemoryStore(), failing: 1), failing: 1)

  init() {
    let lines = Lines()
    let logger = Logger(label: "test") { _ in Handler(lines: lines) }
    let outages = OutageReport(logger: logger)
    self.lines = lines
    background = BackgroundHealth(Health(feed: EventFeed(), time: FixedTime()), time: FixedTime()) {
      outages.noteTask($0)
    }
  }

  private func expectLines(_ task: String) {
    #expect(
      lines.all == [
        "warning: A background task fails (failure=full task=\(task))",
        "notice: The background task works again (failures=2 seconds=0 task=\(task))",
      ])
  }

  @Test("a sweep that fails twice logs one warning, and one notice when it works again")
  func sweep() async {
    let sweep = StoreSweep(store: store.accounts, time: FixedTime(), addresses: { .zero }, background: background)
    for failures in 1...2 {
      await sweep.sweep()
      #expect(background.failing.map { $0.failures } == [failures])
    }
    await sweep.sweep()
    #expect(background.failing.isEmpty)
    expectLines("sweep")
  }

  @Test("a count of admissions that fails twice logs one warning, and one notice when it works again")
  func admissionCount() async {
    let count = StoreCounts(background)
    for _ in 0..<3 { await count.count(store.accounts, at: Fixtures.time) }
    #expect(background.failing.isEmpty)
    expectLines("admissionCount")
  }
}
