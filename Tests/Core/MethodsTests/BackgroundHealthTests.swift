import Methods
import Registration
import Synchronization
import TestDoubles
import Testing

/// Reports to operators about the tasks that regd repeats in the background.
@Suite("Health of background tasks")
struct BackgroundHealthTests {
  private final class Turns: Sendable {
    private let turns = Mutex<[BackgroundHealth.Turn]>([])

    var all: [BackgroundHealth.Turn] { turns.withLock { $0 } }

    func add(_ turn: BackgroundHealth.Turn) { turns.withLock { $0.append(turn) } }
  }

  private let time: MovedTime
  private let turns: Turns
  private let health: Health
  private let background: BackgroundHealth

  init() {
    let (time, turns) = (MovedTime(), Turns())
    let health = Health(feed: EventFeed(), time: time)
    (self.time, self.turns, self.health) = (time, turns, health)
    background = BackgroundHealth(health, time: time) { turns.add($0) }
  }

  private func failing(_ failures: Int, since: Timestamp, _ reason: String) -> BackgroundHealth.Failing {
    BackgroundHealth.Failing(task: .sweep, since: since, failures: failures, reason: reason)
  }

  @Test("two failures are reported once, and the next success once, with the number of failures")
  func once() {
    background.note(.sweep, nil)
    #expect(turns.all.isEmpty && background.failing.isEmpty)
    let since = time.now()
    background.note(.sweep, .full)
    time.pass(.seconds(10))
    background.note(.sweep, .unavailable(detail: "locked"))
    let (first, second) = (failing(1, since: since, "full"), failing(2, since: since, "locked"))
    #expect(turns.all == [.fails(first)])
    #expect(background.failing == [second])
    time.pass(.seconds(10))
    for _ in 0..<2 { background.note(.sweep, nil) }
    #expect(turns.all == [.fails(first), .works(second, at: time.now())])
    #expect(background.failing.isEmpty)
  }

  @Test("while the store fails, regd records a task's failure but reports neither the failure nor the next success")
  func outage() {
    health.note(.store, .writing, "full")
    background.note(.sweep, .full)
    #expect(background.failing == [failing(1, since: time.now(), "full")])
    health.note(.store, .writing, nil)
    background.note(.sweep, nil)
    #expect(turns.all.isEmpty && background.failing.isEmpty)
  }

  @Test("regd reports a task that still fails after the store has recovered")
  func beyondOutage() {
    health.note(.store, .writing, "full")
    let since = time.now()
    background.note(.sweep, .full)
    health.note(.store, .writing, nil)
    time.pass(.seconds(10))
    background.note(.sweep, .full)
    #expect(turns.all == [.fails(failing(2, since: since, "full"))])
  }

  @Test("each task has its own record, and a cancelled run leaves no record")
  func tasks() {
    background.note(.mail, .readOnly)
    background.note(.sweep, .cancelled)
    background.note(.admissionCount, .full)
    background.note(.outbox, nil)
    #expect(background.failing.map { $0.task } == [.admissionCount, .mail])
  }

  @Test("daemon.status lists the failing tasks, and omits the member if no task fails")
  func status() async {
    let subject = Subject()
    let well = await subject.call("daemon.status", "null")
    #expect(well.contains(#""result":"#) && !well.contains("failingTasks"))
    subject.background.note(.sweep, .full)
    let listed =
      #""failingTasks":[{"name":"sweep","since":"\#(Fixtures.time.rfc3339)","failures":1,"reason":"full"}]"#
    let status = await subject.call("daemon.status", "null")
    #expect(status.contains(listed), "\(status)")
  }
}
