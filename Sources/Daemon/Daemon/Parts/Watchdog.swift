internal import Heartbeat
internal import Linux
internal import Synchronization
internal import WorkerThreads

/// Tells the service manager from time to time that regd goes round, and only if it does: all parts are asked, and the
/// beat is sent when each has answered. On a thread of its own, so that it can say which part does not.
final class Watchdog: Sendable {
  enum Report: Equatable, Sendable {
    /// These have not answered in time. No beat is sent until they do.
    case stuck([String])
    /// They have answered after all.
    case unstuck([String])
  }

  private let pulses: @Sendable () -> [Pulse]
  private let interval: Duration
  private let beat: @Sendable () -> Void
  private let report: @Sendable (Report) -> Void
  private let thread: WorkerThreads
  /// Signaled when a round is whole, and at the end.
  private let wake: EventCounter
  private let ending: EventCounter
  /// Signaled by the thread, last.
  private let ended: EventCounter
  private let isOver = Atomic<Bool>(false)

  /// Starts at once.
  ///
  /// - Parameters:
  ///   - pulses: Who is asked; read with every beat.
  ///   - interval: Between two beats. A part that takes longer to answer is reported; the beat follows its answer.
  ///   - beat: Tells the service manager. On the watchdog's thread, as `report`.
  init(
    _ pulses: @escaping @Sendable () -> [Pulse], every interval: Duration, beat: @escaping @Sendable () -> Void,
    report: @escaping @Sendable (Report) -> Void
  ) throws(WorkerThreads.StartFailure) {
    self.pulses = pulses
    self.interval = interval
    self.beat = beat
    self.report = report
    do throws(SystemError) {
      (wake, ending, ended) = (try EventCounter(), try EventCounter(), try EventCounter())
    } catch {
      throw WorkerThreads.StartFailure(errorNumber: error.number)
    }
    thread = try WorkerThreads(name: "regd-watchdog", count: 1)
    thread.submit { [self] in
      run()
      ended.signal()
    }
  }

  /// Sends no beat any more that has not begun; once. Waits for the thread, but no longer than a second: a service manager
  /// that does not listen holds up a beat, and must not hold up regd's end.
  func stop() {
    isOver.store(true, ordering: .releasing)
    wake.signal()
    ending.signal()
    ended.wait(atMost: .seconds(1))
  }

  private func run() {
    while !isOver.load(ordering: .acquiring) {
      let next = ContinuousClock.now + interval
      let round = Round(asking: pulses()) { [wake] in wake.signal() }
      if !wake.wait(atMost: interval) {
        let silent = round.silent
        report(.stuck(silent))
        wake.wait()
        guard !isOver.load(ordering: .acquiring) else { return }
        report(.unstuck(silent))
      }
      guard !isOver.load(ordering: .acquiring) else { return }
      beat()
      ending.wait(atMost: max(.zero, next - .now))
    }
  }
}
