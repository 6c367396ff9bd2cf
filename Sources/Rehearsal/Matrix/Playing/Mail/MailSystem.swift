internal import Linux
internal import RehearsedMailServer
internal import RehearsedMails
internal import RehearsedPorts

/// The mail system of a cell: a real server that misbehaves as in the environment, or regd's own simulated backends.
/// Both can fail and recover while regd runs.
final class MailSystem {
  /// regd's configuration file. If regd itself plays the mail system, this is a copy of the environment's file, which
  /// changes.
  let file: String
  private let environment: MailEnvironment
  /// The server, or nil if regd itself plays the mail system.
  private let server: MailServer?
  /// The directory of the mails that regd writes to files.
  private let directory: String
  /// The text of the environment's file.
  private let text: String

  private static let credentials = MailServer.Credentials(user: "regd", password: "of-the-mail-server")

  /// - Parameters:
  ///   - file: The environment's file.
  ///   - directory: The cell's directory.
  init(_ environment: MailEnvironment, file original: String, isServer: Bool, directory: String) throws {
    self.environment = environment
    self.directory = "\(directory)/mails"
    text = try FileReading.text(original)
    try FileSystem.makeDirectory(self.directory, permissions: 0o700)
    if isServer {
      file = original
      server = try MailServer(
        environment.step.condition, directory: directory,
        security: environment.step.needsTLS ? .startTLS : .none,
        credentials: environment.step.needsUser ? Self.credentials : nil)
    } else {
      file = "\(directory)/environment.yaml"
      server = nil
      try FileWriting.write(text, to: file, permissions: 0o600)
    }
  }

  /// Environment variables for regd's configuration in addition to the file.
  var variables: [String: String] {
    var variables = [
      // regd sends a mail again only when the flow asks for it
      "REGD_MAIL_QUEUE_FIRST_SECONDS": "3600", "REGD_MAIL_QUEUE_MAXIMUM_SECONDS": "3600",
      "REGD_MAIL_FILE_DIRECTORY": directory,
      // enough digits that no other number in a cell equals a code, and a short pause, so that no cell waits long to resend
      "REGD_REGISTRATION_CODE_DIGITS": "\(Stage.codeDigits)", "REGD_REGISTRATION_RESEND_SECONDS": "1",
    ]
    if let server {
      variables["REGD_MAIL_BACKEND"] = "smtp"
      variables["REGD_MAIL_SMTP_URL"] = server.url
      variables["REGD_MAIL_SMTP_CA_FILE"] = server.caFile
      if environment.step.needsUser {
        variables["REGD_MAIL_SMTP_USER"] = Self.credentials.user
        variables["REGD_MAIL_SMTP_PASSWORD"] = Self.credentials.password
      }
      if environment.step.isSilent {
        variables["REGD_MAIL_SMTP_CONNECT_SECONDS"] = "1"
        variables["REGD_MAIL_SMTP_TOTAL_SECONDS"] = "3"
      }
    }
    return variables
  }

  /// Whether the mails that the environment's mail system accepts can be read.
  var isReadable: Bool { server != nil || environment.writesFiles }
  /// Violations of SMTP. A built-in mail system has none.
  var complaints: [String] { server?.ledger.complaints ?? [] }

  /// Makes the mail system accept every mail from now on, or behave as in the environment.
  ///
  /// - Returns: Whether regd must read its configuration again.
  func play(works: Bool) throws -> Bool {
    if let server {
      try server.play(works ? .works : environment.step.condition)
      return false
    }
    try FileWriting.write(works ? environment.textWhereMailWorks(text) : text, to: file, permissions: 0o600)
    return true
  }

  /// The mails that have arrived, oldest first: those in the server's ledger, with each repeat, or those that regd
  /// wrote to files.
  func mails() throws -> [ReceivedMail] {
    if let server { return server.ledger.mails }
    return try FileSystem.names(in: directory).filter { $0.hasSuffix(".eml") }.sorted().map {
      ReceivedMail(bytes: try FileReading.bytes("\(directory)/\($0)", atMost: .max))
    }
  }

  func stop() { server?.stop() }
}

extension MailEnvironment {
  /// A file's text with its section `mail` replaced by one that writes files.
  fileprivate func textWhereMailWorks(_ text: String) -> String {
    var isInside = false
    let others = text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      // a section ends at the next line that begins with a key
      if line.first?.isLetter ?? false { isInside = line.hasPrefix("mail:") }
      return !isInside
    }
    return others.joined(separator: "\n") + "\nmail: {backend: file, from: \"\(from)\"}\n"
  }
}

extension MailScript.Step {
  /// The server's behaviour for the step.
  fileprivate var condition: MailCondition {
    guard case .fault(let fault) = answer else { return delay > .zero ? .slow(delay / 10) : .works }
    return switch fault {
    case .offline, .unresolvable: .refusing
    case .unroutable: .swallowing
    case .resetBefore: .loses(at: .greeting)
    case .closing: .answers(421, at: .greeting)
    case .untrusted: .certificate(.untrusted)
    case .wrongHost: .certificate(.wrongHost)
    case .expired: .certificate(.expired)
    case .noTLS: .withoutStartTLS
    case .unauthorized: .answers(535, at: .authentication)
    case .unavailable: .answers(451, at: .sender)
    case .greylisted: .greylisting
    case .reject: .answers(550, at: .recipient)
    case .rejectText: .answers(554, at: .message)
    case .timeout: .silent(at: .sender)
    case .cut: .cutting
    case .lost: .loses(at: .message)
    case .mute: .silent(at: .message)
    }
  }

  fileprivate var needsTLS: Bool {
    [.untrusted, .wrongHost, .expired, .noTLS].contains { answer == .fault($0) }
  }

  fileprivate var needsUser: Bool { answer == .fault(.unauthorized) }

  /// Whether regd's attempt to send ends only by its deadline.
  fileprivate var isSilent: Bool { [.unroutable, .timeout, .mute].contains { answer == .fault($0) } }
}
