internal import AsyncPrimitives
internal import CCurl
internal import CurlTransfers
internal import MailComposition
internal import Synchronization

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

/// Mechanisms of authentication (RFC 4954) in the order in which regd tries them. It tries the next ones only if the
/// server offers none of these. libcurl by itself prefers NTLM, DIGEST-MD5 and CRAM-MD5, which many servers offer
/// without the data that they need, and does not fall back. The password does not need their protection, because it is
/// sent only over TLS or within this machine.
enum SMTPMechanisms: CaseIterable {
  case plain, login, others

  /// The value of CURLOPT_LOGIN_OPTIONS.
  var options: String {
    switch self {
    case .plain: "AUTH=PLAIN"
    case .login: "AUTH=LOGIN"
    case .others: "AUTH=SCRAM-SHA-256;AUTH=SCRAM-SHA-1;AUTH=DIGEST-MD5;AUTH=CRAM-MD5;AUTH=NTLM"
    }
  }

  /// Whether the command has the initial response (CURLOPT_SASL_IR). Some servers accept PLAIN only with one, and LOGIN only
  /// without.
  var hasInitialResponse: Bool { self == .plain }
}

/// A mail in flight, shared by the calling task and the loop.
final class MailTransfer: LoopTransfer {
  let text: MailText
  let mechanisms: SMTPMechanisms
  let deadline: ContinuousClock.Instant
  /// The result for the caller, fulfilled by the loop, or earlier by the caller's cancellation.
  let outcome = Promise<SMTPOutcome>()
  private let cancelled = Atomic<Bool>(false)

  init(_ text: MailText, by mechanisms: SMTPMechanisms, until deadline: ContinuousClock.Instant) {
    self.text = text
    self.mechanisms = mechanisms
    self.deadline = deadline
  }

  /// Resumes the caller at once. If libcurl already sends the mail, it stops within a second.
  func cancel() {
    cancelled.store(true, ordering: .sequentiallyConsistent)
    finish(SMTPOutcome(.cancelled))
  }

  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  func stopped() { finish(SMTPOutcome(.cancelled)) }

  /// Resumes the caller. Only the first call counts.
  func finish(_ outcome: SMTPOutcome) { self.outcome.fulfill(outcome) }
}
