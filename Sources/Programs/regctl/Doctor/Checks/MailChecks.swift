internal import Localization
internal import RegdClient

/// Checks whether mails leave this machine.
enum MailChecks {
  static func mail(_ facts: Facts) -> Finding? {
    guard let mail = facts.daemon.status.result?["mail"], let backend = mail["backend"]?.string, backend != "none"
    else { return nil }
    let failure = mail["failure"]?.string
    func seen(_ key: DoctorMailMessageKey) -> LocalizedMessage {
      LocalizedMessage(
        key,
        [
          "backend": .text(backend), "time": .text(mail["since"]?.string ?? "?"), "failure": .text(failure ?? ""),
        ])
    }
    guard let failure else { return .ok(seen(.works)) }
    // the mail system has refused mails to many addresses, so the mistake is in the data about the sender
    if failure.hasPrefix("refused") {
      return .problem(
        seen(.refuses), type: Finding.typing("editor \(facts.configuration.path)", .mailSender))
    }
    return .problem(seen(.fails), type: "regctl call mail.list")
  }
}
