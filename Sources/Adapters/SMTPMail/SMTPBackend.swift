internal import CurlTransfers
internal import Linux
package import Registration

/// `mail.backend: smtp`: sends through a mail server. Its keys are in `mail.smtp`.
package struct SMTPBackend: MailBackend {
  package static let name = "smtp"

  private let url: String
  private let helo: String
  private let user: String
  private let password: String
  private let caFile: String
  private let connect: Duration
  private let total: Duration

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    url = keys.string("mail.smtp.url", default: "")
    helo = keys.string("mail.smtp.helo", default: "")
    user = keys.string("mail.smtp.user", default: "")
    password = keys.secret("mail.smtp.password", default: "")
    caFile = keys.optionalPath("mail.smtp.caFile")
    let range: ClosedRange<Duration> = .milliseconds(10)...(.seconds(3600))
    connect = keys.seconds("mail.smtp.connectSeconds", default: .seconds(5), range)
    total = keys.seconds("mail.smtp.totalSeconds", default: Self.usualTime, range)
    checkValues(&keys, isChosen: isChosen)
  }

  private func checkValues(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    if url.isEmpty {
      if isChosen {
        keys.refuse("mail.smtp.url", "is missing; mail.backend smtp needs it, such as smtp://mail.example.com:587")
      }
    } else if case .failure(let problem) = SMTPServer.read(url) {
      keys.refuse("mail.smtp.url", "\(problem)")
    }
    if !helo.isEmpty, let problem = HeloName.problem(helo) { keys.refuse("mail.smtp.helo", problem) }
    if user.isEmpty != password.isEmpty {
      let place = user.isEmpty ? "" : "; the unit loads it from the credential mail-smtp-password"
      keys.refuse(
        "mail.smtp.\(user.isEmpty ? "user" : "password")", "is missing: user and password need each other\(place)")
    }
    if isChosen, !caFile.isEmpty, let problem = PEMFile.problem(caFile, of: .certificate) {
      keys.refuse("mail.smtp.caFile", problem)
    }
    if connect > total { keys.refuse("mail.smtp.connectSeconds", "must not be more than mail.smtp.totalSeconds") }
  }

  package var files: [ConfiguredFile] { caFile.isEmpty ? [] : [ConfiguredFile("mail.smtp.caFile", caFile)] }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {
    if chosen == Self.name { Self.refuse(total, of: "mail.smtp.totalSeconds", &keys, ifNotBelow: requestSeconds) }
    // no refusal if the command line or a variable overrides the backend: the operator then turns mail off for one run
    guard chosen == nil, !url.isEmpty, !keys.isOverridden("mail.backend") else { return }
    keys.refuse(
      "mail.smtp.url",
      "is set, but mail.backend is none: write mail.backend: smtp to send through that server, or remove the URL")
  }

  package var absences: [(key: String, message: String)] {
    guard !caFile.isEmpty, let number = PEMFile.obstacle(caFile) else { return [] }
    let reason = SystemError.text(number)
    return [
      ("mail.smtp.caFile", "\(caFile) cannot be read (\(reason)); the server is not trusted until it can be read")
    ]
  }

  package func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail {
    for (key, message) in absences { context.warn("\(key): \(message)") }
    let server: SMTPServer
    do { server = try SMTPServer.read(url).get() } catch { throw .configuration("mail.smtp.url \(error)") }
    let configuration = SMTPMail.Configuration(
      server: server, helo: helo.isEmpty ? HeloName.own(towards: server.host) : helo,
      user: user.isEmpty ? nil : (user, Secret(value: password)), caFile: caFile.isEmpty ? nil : caFile,
      connect: connect, total: total)
    do {
      let mail = try SMTPMail(configuration, warn: context.warn)
      return OpenMail(mail, stop: mail.stop)
    } catch {
      switch error {
      case .libraryFailed: throw .operatingSystem(CurlLibrary.failure)
      case .threadFailed(let number): throw .operatingSystem("the thread for mails: \(SystemError.text(number))")
      }
    }
  }
}
