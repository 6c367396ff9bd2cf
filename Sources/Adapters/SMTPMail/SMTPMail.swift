internal import CurlTransfers
internal import MailComposition
internal import Registration
internal import Waiting

/// Mails by SMTP (RFC 5321), by Debian's libcurl on one thread of its own: a connection for each mail, some at once.
///
/// No connection is used for a second mail: one that the server has closed in the meantime would lose it in the middle, and a code
/// is waited for by a person.
final class SMTPMail: MailService {
  private let configuration: Configuration
  private let loop: TransferLoop<MailsUnderWay>
  private let warn: @Sendable (String) -> Void

  /// Where mails go, as whom, and how long that may take.
  struct Configuration: Sendable {
    var server: SMTPServer
    /// Who authenticates, by what; nil for no one.
    var user: (name: String, password: Secret)?
    /// PEM: the only authorities that are trusted then. Nil: those of the system. Read again at most a minute after a change.
    var caFile: String?
    /// For a name and a connection; how long a server takes to greet is its own affair (RFC 5321 section 4.5.3.2).
    var connect = Duration.seconds(5)
    /// From the call to the answer, with all waiting.
    var total = Duration.seconds(20)
    /// Connections at once; further mails wait for one.
    var maximumConnections = 8

    /// Whether the mail goes in TLS that a command begins. To this machine it goes in plain text, unless authorities are named.
    var needsStartTLS: Bool { !server.isTLS && (!server.isLoopback || caFile != nil) }
  }

  init(_ configuration: Configuration, warn: @escaping @Sendable (String) -> Void) throws(LoopFailure) {
    self.configuration = configuration
    self.warn = warn
    loop = try TransferLoop(name: "regd-smtp", keeping: configuration.maximumConnections) {
      MailsUnderWay($0, configuration)
    }
  }

  deinit { loop.stop() }

  func stop() { loop.stopAndWait() }

  func send(_ mail: Mail) async throws(MailFailure) {
    let transfer = MailTransfer(try MailText(mail), until: .now + configuration.total)
    if Task.isCancelled { transfer.cancel() }
    loop.submit(transfer)
    let outcome = await transfer.outcome.value { [loop] in loop.cancel(transfer) }
    if let warning = outcome.warning { warn("mail.smtp: \(warning)") }
    if let failure = SMTPVerdict.failure(outcome) { throw failure }
  }
}
