import AsyncPrimitives
import Linux
import RegdProcesses
import Registration
import RehearsedMailServer
import Synchronization
import TestDoubles
import Testing

@testable import SMTPMail

/// A mail server that misbehaves on demand, and the smtp backend that connects to it.
struct Delivery {
  let server: MailServer
  let mail: SMTPMail
  private let told: Lines

  /// The warnings for the operator.
  var warnings: [String] { told.lines.withLock { $0 } }

  private final class Lines: Sendable {
    let lines = Mutex<[String]>([])
  }

  /// - Parameters:
  ///   - arrived: Fulfilled when the server has received a whole mail, before it answers.
  ///   - configure: Changes the configuration, whose timeouts are long. The authority is set if the server has TLS.
  static func play(
    _ condition: MailCondition, _ security: MailServer.Security = .none,
    extensions: Set<MailServer.Extension> = Set(MailServer.Extension.allCases),
    credentials: MailServer.Credentials? = nil, arrived: Promise<Void>? = nil,
    configure: (inout SMTPMail.Configuration) -> Void = { _ in }, _ body: (Delivery) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    var onMail: (@Sendable (ReceivedMail) -> Void)?
    if let arrived { onMail = { _ in arrived.fulfill(()) } }
    let server = try MailServer(
      condition, directory: directory, security: security, extensions: extensions, credentials: credentials,
      onMail: onMail)
    defer { server.stop() }
    var configuration = SMTPMail.Configuration(server: try SMTPServer.read(server.url).get())
    (configuration.connect, configuration.total) = (.seconds(300), .seconds(300))
    configuration.caFile = server.caFile
    configure(&configuration)
    let told = Lines()
    let mail = try SMTPMail(configuration) { line in told.lines.withLock { $0.append(line) } }
    defer { mail.stop() }
    try await body(Delivery(server: server, mail: mail, told: told))
    #expect(server.ledger.complaints.isEmpty, "\(server.ledger.complaints)")
  }

  func failure(_ mail: Mail = Self.mail()) async -> MailFailure? { await self.mail.failure(mail) }

  static func mail(
    to typed: String = "name@example.com", key: String? = nil, body: String = "123456\n",
    at time: Timestamp = Fixtures.time
  ) -> Mail {
    Mail(
      id: MailID(at: time), kind: .registrationCode, to: EmailAddress(stored: typed, key: EmailKey(key ?? typed)),
      from: "regd@example.com", fromName: "Käserei, Inc.", date: time, language: "de",
      subject: "Dein Code für example.com", body: body)
  }
}

extension SMTPMail {
  /// Sends a mail.
  ///
  /// - Returns: Why the mail was not sent, or nil if the server has accepted it.
  func failure(_ mail: Mail = Delivery.mail()) async -> MailFailure? {
    do throws(MailFailure) {
      try await send(mail)
      return nil
    } catch { return error }
  }
}
