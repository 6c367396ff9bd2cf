internal import CCurl
internal import CurlTransfers

/// The mails on one loop's thread: the mail that libcurl sends now, and the queue of mails that wait until it has
/// ended.
struct MailsInFlight: LoopTransfers {
  private let configuration: SMTPMail.Configuration
  private var waiting: [MailTransfer] = []
  private var running: RunningHandles<RunningMail>

  init(_ multi: UnsafeMutableRawPointer, _ configuration: SMTPMail.Configuration) {
    running = RunningHandles(multi)
    self.configuration = configuration
  }

  mutating func add(_ transfer: MailTransfer) {
    // the caller may have been cancelled before the loop took the transfer
    guard !transfer.isCancelled else { return transfer.stopped() }
    waiting.append(transfer)
  }

  mutating func cancel(_ transfer: MailTransfer) {
    // if libcurl already sends the mail, its progress callback ends it
    waiting.removeAll { $0 === transfer }
    transfer.stopped()
  }

  mutating func advance() {
    repeat {
      endOverdue()
      while running.all.isEmpty, !waiting.isEmpty { start(waiting.removeFirst()) }
    } while finishDone()
  }

  func pause() {
    let connecting = running.all.filter { !$0.isConnected }.map(\.connectDeadline)
    running.pause(until: (connecting + waiting.map(\.deadline)).min())
  }

  mutating func endAll() {
    for transfer in waiting { transfer.stopped() }
    waiting = []
    for running in running.all { running.end(.cancelled) }
    _ = finishDone()
    for running in running.all { running.transfer.stopped() }
  }

  private mutating func endOverdue() {
    let now = ContinuousClock.now
    for transfer in waiting where transfer.deadline <= now { transfer.finish(SMTPOutcome(.outOfTime)) }
    waiting.removeAll { $0.deadline <= now }
    for running in running.all where running.connectDeadline <= now && !running.isConnected {
      running.end(.unconnected)
    }
  }

  private mutating func start(_ transfer: MailTransfer) {
    let milliseconds = (transfer.deadline - .now).wholeMilliseconds
    guard let started = RunningMail(transfer, configuration, milliseconds: milliseconds),
      running.add(started)
    else { return transfer.finish(SMTPOutcome(.broken, message: "libcurl has refused the transfer")) }
  }

  /// - Returns: Whether any mail has ended.
  private mutating func finishDone() -> Bool {
    let done = running.perform()
    for (mail, _, outcome) in done { mail.transfer.finish(outcome) }
    return !done.isEmpty
  }
}
