internal import Linux
package import Registration

/// `mail.backend: sendmail`: the host's own mail program, and its keys, `mail.sendmail`.
package struct SendmailBackend: MailBackend {
  package static let name = "sendmail"
  package static let isRehearsed = false

  private let path: String
  private let total: Duration

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    path = keys.path("mail.sendmail.path", default: "/usr/sbin/sendmail")
    total = keys.seconds("mail.sendmail.totalSeconds", default: Self.usualTime, .milliseconds(10)...(.seconds(3600)))
  }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {
    guard chosen == Self.name, total > Self.usualTime, total >= .seconds(requestSeconds) else { return }
    keys.refuse("mail.sendmail.totalSeconds", "must be less than limits.requestSeconds, which is \(requestSeconds)")
  }

  package func open(_ surroundings: MailSurroundings) throws(NetworkOpeningFailure) -> OpenMail {
    if !FileSystem.isExecutable(path) {
      surroundings.warn("mail.sendmail.path: \(path) is no program that regd may start; mails wait until it is one")
    }
    let sendmail = try Sendmail(path, within: total, warn: surroundings.warn)
    return OpenMail(sendmail) { sendmail.stop() }
  }
}
