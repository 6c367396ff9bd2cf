internal import AsyncPrimitives
internal import CurlTransfers
internal import MailComposition
internal import Registration
internal import Synchronization

/// Mails by SMTP (RFC 5321), with Debian's libcurl: one connection per mail, several at once, each on a separate
/// thread. libcurl blocks its loop while it waits for the answer to a text (smtp_done), so that mails in one loop would
/// wait for one another.
///
/// Reuses no connection. If the server had closed it in the meantime, the mail would fail, while a person waits for the
/// code in it.
final class SMTPMail: MailService {
  private let configuration: Configuration
  private let loops: [TransferLoop<MailsInFlight>]
  /// The mails in flight. The array's index is that of the loop.
  private let inFlight: Mutex<[[ObjectIdentifier: MailTransfer]]>
  private let warn: @Sendable (String) -> Void

  /// The server for mails, the user who authenticates, and the time limits.
  struct Configuration: Sendable {
    var server: SMTPServer
    /// The name in EHLO, which is a host name, or an address in brackets.
    var helo = "[127.0.0.1]"
    /// The user name and the password for authentication, or nil for none.
    var user: (name: String, password: Secret)?
    /// A PEM file of the only trusted authorities. If it is nil, those of the system are trusted. libcurl reads a
    /// changed file again within a minute.
    var caFile: String?
    /// The limit for the name look-up and the connection. Excludes the greeting, which a server may delay (RFC 5321 section
    /// 4.5.3.2).
    var connect = Duration.seconds(5)
    /// The limit from the call to the answer, including the wait for a connection.
    var total = Duration.seconds(20)
    /// The most connections at once. Further mails wait for one.
    var maximumConnections = 8

    /// Whether STARTTLS is required. Mail to this machine goes in plain text, unless `caFile` is set.
    var needsStartTLS: Bool { !server.isTLS && (!server.isLoopback || caFile != nil) }
  }

  init(_ configuration: Configuration, warn: @escaping @Sendable (String) -> Void) throws(LoopFailure) {
    self.configuration = configuration
    self.warn = warn
    var loops: [TransferLoop<MailsInFlight>] = []
    for _ in 0..<configuration.maximumConnections {
      loops.append(try TransferLoop(name: "regd-smtp", keeping: 1) { MailsInFlight($0, configuration) })
    }
    self.loops = loops
    inFlight = Mutex(Array(repeating: [:], count: loops.count))
  }

  deinit { for loop in loops { loop.stop() } }

  func stop() {
    for loop in loops { loop.stop() }
    for transfer in inFlight.withLock({ $0.flatMap(\.values) }) { transfer.cancel() }
    for loop in loops { loop.stopAndWait() }
  }

  func send(_ mail: Mail) async throws(MailFailure) {
    let (text, deadline) = (try MailText(mail), ContinuousClock.now + configuration.total)
    var outcome = SMTPOutcome(.cancelled)
    for mechanisms in configuration.user == nil ? [.plain] : SMTPMechanisms.allCases {
      outcome = await send(MailTransfer(text, by: mechanisms, until: deadline))
      guard outcome.lacksMechanism else { break }
    }
    if let warning = outcome.warning { warn("mail.smtp: \(warning)") }
    if let failure = SMTPVerdict.failure(outcome) { throw failure }
  }

  private func send(_ transfer: MailTransfer) async -> SMTPOutcome {
    if Task.isCancelled { transfer.cancel() }
    // the loop with the fewest mails
    let number = inFlight.withLock { inFlight in
      let number = inFlight.indices.min { inFlight[$0].count < inFlight[$1].count } ?? 0
      inFlight[number][ObjectIdentifier(transfer)] = transfer
      return number
    }
    loops[number].submit(transfer)
    let outcome = await transfer.outcome.value { [loops] in loops[number].cancel(transfer) }
    _ = inFlight.withLock { $0[number].removeValue(forKey: ObjectIdentifier(transfer)) }
    return outcome
  }
}
