internal import ConfigurationFile
internal import RehearsedMails

/// The mail system of an environment whose flows are about mail.
struct MailEnvironment: Sendable {
  /// The situation in the file's `environment.gives`.
  let situation: MailSituation
  /// The mail system's reaction to each mail, until a flow makes the mail system work.
  let step: MailScript.Step
  /// The sender of regd's mails.
  let from: String
  /// Whether regd writes mails to files, where the matrix reads them.
  let writesFiles: Bool

  init(
    _ situation: MailSituation, _ values: [String: ConfigurationFile.Value], _ file: String
  ) throws(Environment.Unplayable) {
    func unplayable(_ what: String) -> Environment.Unplayable {
      Environment.Unplayable(description: "\(file) gives \"\(situation.rawValue)\", and \(what)")
    }
    guard values["registration.verification"]?.text == "required" else {
      throw unplayable("needs registration.verification: required, without which there are no codes to mail")
    }
    let backend = values["mail.backend"]?.text ?? "none"
    switch backend {
    case "file": step = .init(.accept)
    case "offline": step = .init(.fault(.offline))
    case "unavailable": step = .init(.fault(.unavailable))
    case "scripted":
      let texts = if case .list(let texts) = values["mail.scripted.send"] { texts } else { ["accept"] }
      let text = texts.first ?? ""
      do throws(MailScript.Step.Malformed) { step = try MailScript.Step(text) } catch {
        throw unplayable("\"\(text)\" cannot be played: \(error.message)")
      }
      guard step.recipient == nil else {
        throw unplayable("begins with \"\(text)\"; the first step is played for every mail, and must have no to=")
      }
    default:
      throw unplayable(
        "has mail.backend \(backend); the matrix reads the codes of its mails, and plays file, offline, unavailable and scripted"
      )
    }
    self.situation = situation
    from = values["mail.from"]?.text ?? ""
    writesFiles = backend == "file"
  }
}
