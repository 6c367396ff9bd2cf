internal import Linux
internal import Liveness
internal import Synchronization
internal import WorkerThreads

/// Sends beats to the service manager while regd is alive: asks all parts, and sends the beat once each has answered. Runs on a
/// thread of its own, so that it can name a part that does not answer.
final class Watchdog: Sendable {
  enum Report: Equatable, Sendable {
    /// These parts have not answered in time. No beat is sent until they do.
    case stuck([String])
    /// These parts have answered at last.
    case unstuck([String])
  }

  private let probes: @Sendable () -> [Probe]
  private let interval: Duration
  private let beat: @Sendable () -> Void
  private let report: @Sendable (Report) -> Void
  private let thread: WorkerThreads
  /// Signaled when all parts have answered, and by `stop`.
  private let wake: EventCounter
  private let ending: EventCounter
  /// Signaled by the thread at its end.
  private let ended: EventCounter
  private let isOver = Atomic<Bool>(false)

  /// Starts at once.
  ///
  /// - Parameters:
  ///   - probes: The parts to ask. Read anew for every beat.
  ///   - interval: The time between two beats. A part that takes longer to answer is reported, and the beat follows its
  ///     answer.
  ///   - beat: Notifies the service manager. Called on the watchdog's thread, as is `report`.
  /// - Throws: `StartFailure` if the thread or its descriptors cannot be made.
  init(
    _ probes: @escaping @Sendable () -> [Probe], every interval: Duration, beat: @escaping @Sendable () -> Void,
    report: @escaping @Sendable (Report) -> Void
  ) throws(WorkerThreads.StartFailure) {
    self.probes = probes
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

  /// Sends no further beat. Waits at most a second for the thread, because a service manager that does not read may
  /// block a beat, which must not delay regd's end.
  func stop() {
    isOver.store(true, ordering: .releasing)
    wake.signal()
    ending.signal()
    ended.wait(atMost: .seconds(1))
  }

  private func run() {
    while !isOver.load(ordering: .acquiring) {
      let next = ContinuousClock.now + interval
      let round = ProbeRound(asking: probes()) { [wake] in wake.signal() }
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
