internal import Linux
package import Registration

/// `mail.backend: sendmail`: sends through the host's mail program. Its keys are in `mail.sendmail`.
package struct SendmailBackend: MailBackend {
  package static let name = "sendmail"

  private let path: String
  private let total: Duration

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    path = keys.path("mail.sendmail.path", default: "/usr/sbin/sendmail")
    total = keys.seconds("mail.sendmail.totalSeconds", default: Self.usualTime, .milliseconds(10)...(.seconds(3600)))
  }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {
    if chosen == Self.name { Self.refuse(total, of: "mail.sendmail.totalSeconds", &keys, ifNotBelow: requestSeconds) }
  }

  package var absences: [(key: String, message: String)] {
    FileSystem.isExecutable(path)
      ? [] : [("mail.sendmail.path", "\(path) is not a program that regd may start; emails wait until it is")]
  }

  package func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail {
    for (key, message) in absences { context.warn("\(key): \(message)") }
    let sendmail = try Sendmail(path, within: total, warn: context.warn)
    return OpenMail(sendmail) { sendmail.stop() }
  }
}
