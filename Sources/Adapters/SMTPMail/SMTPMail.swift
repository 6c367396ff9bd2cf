internal import CurlTransfers
internal import MailComposition
internal import Registration
internal import Synchronization
internal import Waiting

/// Mails by SMTP (RFC 5321), by Debian's libcurl: a connection for each mail, some at once, each on a thread of its own. libcurl waits
/// for the answer to a text without letting its loop go on (smtp_done), so that mails in one loop would wait for each other.
///
/// No connection is used for a second mail: one that the server has closed in the meantime would lose it in the middle, and a code
/// is waited for by a person.
final class SMTPMail: MailService {
  private let configuration: Configuration
  private let loops: [TransferLoop<MailsUnderWay>]
  /// By the numbers of their loops.
  private let underWay: Mutex<[[ObjectIdentifier: MailTransfer]]>
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
    var loops: [TransferLoop<MailsUnderWay>] = []
    for _ in 0..<configuration.maximumConnections {
      loops.append(try TransferLoop(name: "regd-smtp", keeping: 1) { MailsUnderWay($0, configuration) })
    }
    self.loops = loops
    underWay = Mutex(Array(repeating: [:], count: loops.count))
  }

  deinit { for loop in loops { loop.stop() } }

  func stop() {
    for loop in loops { loop.stop() }
    for transfer in underWay.withLock({ $0.flatMap(\.values) }) { transfer.cancel() }
    for loop in loops { loop.stopAndWait() }
  }

  func send(_ mail: Mail) async throws(MailFailure) {
    let transfer = MailTransfer(try MailText(mail), until: .now + configuration.total)
    if Task.isCancelled { transfer.cancel() }
    // where the fewest wait
    let number = underWay.withLock { underWay in
      let number = underWay.indices.min { underWay[$0].count < underWay[$1].count } ?? 0
      underWay[number][ObjectIdentifier(transfer)] = transfer
      return number
    }
    loops[number].submit(transfer)
    let outcome = await transfer.outcome.value { [loops] in loops[number].cancel(transfer) }
    _ = underWay.withLock { $0[number].removeValue(forKey: ObjectIdentifier(transfer)) }
    if let warning = outcome.warning { warn("mail.smtp: \(warning)") }
    if let failure = SMTPVerdict.failure(outcome) { throw failure }
  }
}
