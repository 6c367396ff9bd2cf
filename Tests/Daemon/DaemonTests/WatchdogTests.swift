import Linux
import Liveness
import Synchronization
import Testing

@testable import Daemon

/// A part that hangs stops the watchdog's beat, and the report names the part.
@Suite("The watchdog", .timeLimit(.minutes(10)))
struct WatchdogTests {
  /// Parts that answer until they are stopped, and the record of the watchdog's beats and reports.
  private final class Subject: Sendable {
    private struct State {
      var stopped: String?
      var beats = 0
      var reports: [Watchdog.Report] = []
      /// The beats until each report.
      var beatsBefore: [Int] = []
    }

    private let state = Mutex(State())
    private let awaited = Awaited()
    /// One event for each beat and each report.
    private let happened: EventCounter

    init() throws { happened = try EventCounter() }

    func probe(_ name: String) -> Probe {
      Probe(name) { [self] answered in
        if state.withLock({ $0.stopped == name }) { awaited.append(answered) } else { answered() }
      }
    }

    func watch(_ probes: [Probe]) throws -> Watchdog {
      try Watchdog(
        { probes }, every: .milliseconds(20),
        beat: { [self] in
          state.withLock { $0.beats += 1 }
          happened.signal()
        },
        report: { [self] report in
          state.withLock { state in
            state.reports.append(report)
            state.beatsBefore.append(state.beats)
          }
          happened.signal()
        })
    }

    func stop(_ name: String) { state.withLock { $0.stopped = name } }

    func goOn() {
      state.withLock { $0.stopped = nil }
      awaited.answer()
    }

    var beats: Int { state.withLock(\.beats) }
    var reports: [Watchdog.Report] { state.withLock(\.reports) }
    var beatsBefore: [Int] { state.withLock(\.beatsBefore) }

    /// Waits until the condition holds.
    func until(_ isSo: (Subject) -> Bool) { while !isSo(self) { happened.wait() } }
  }

  @Test(
    "a hanging event loop, writer or hashing queue is reported by name, and the beat pauses until it makes progress",
    arguments: ["event loop 1", "the store's writer", "the hashing queue"])
  func silenced(_ name: String) throws {
    let subject = try Subject()
    let parts = ["event loop 1", "the store's writer", "the hashing queue"]
    let watchdog = try subject.watch(parts.map(subject.probe))
    subject.until { $0.beats >= 2 }
    subject.stop(name)
    subject.until { $0.reports == [.stuck([name])] }
    subject.goOn()
    subject.until { $0.reports.count == 2 }
    #expect(subject.reports == [.stuck([name]), .unstuck([name])])
    // Every other part answered in the meantime.
    #expect(subject.beatsBefore[0] == subject.beatsBefore[1])
    subject.until { $0.beats > $0.beatsBefore[1] }
    watchdog.stop()
  }

  @Test("a stopped watchdog sends nothing more, not even after a part hung")
  func stopped() throws {
    let subject = try Subject()
    let watchdog = try subject.watch([subject.probe("the hashing queue")])
    subject.until { $0.beats >= 1 }
    subject.stop("the hashing queue")
    subject.until { !$0.reports.isEmpty }
    let beats = subject.beats
    watchdog.stop()
    subject.goOn()
    #expect(subject.beats == beats)
    #expect(subject.reports == [.stuck(["the hashing queue"])])
  }
}
