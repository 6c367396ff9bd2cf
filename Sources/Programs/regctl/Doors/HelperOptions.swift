internal import ArgumentParser
internal import DoorHelpers
internal import Linux
internal import RegdClient
internal import Sentences
internal import Verdicts

/// Options of the commands that other programs start.
struct HelperOptions: ParsableArguments {
  @Option(help: .said(CommonHelp.socket, valueName: "path")) var socket: String?
  @Option(help: .said(DoorHelp.domain)) var domain: String?
  @Option(help: .said(DoorHelp.seconds)) var seconds = 8
  @Flag(help: .said(DoorHelp.json)) var json = false

  func validate() throws {
    guard (1...60).contains(seconds) else {
      throw ValidationError(
        UsageSentence.range, ["option": "--seconds", "least": "1", "most": "60", "value": .text("\(seconds)")])
    }
  }

  /// A link to regd. If regd gives no decision, the link reports the reason on standard error.
  ///
  /// - Parameter errors: Whether to also report regd's errors. A helper that serves many users leaves them out, because
  ///   an error may be about one user only.
  func link(telling errors: Bool) -> HelperLink {
    let path = socket ?? ThisProcess.variable("REGD_SOCKET_PATH") ?? "/run/regd/regd.sock"
    return HelperLink(path: path, seconds: seconds) { trouble in
      switch trouble {
      case .failure(let failure): Terminal.report(text: Speech.text(failure.sentence))
      case .error(let error): if errors { Terminal.report(text: ConnectionOptions.line(of: error)) }
      }
    }
  }

  /// Asks whether name and password belong together.
  ///
  /// - Parameter entry: The name and password; nil if they did not arrive completely, so that nothing is decided.
  func answer(to entry: HandedEntry?, origin: String?) -> HelperAnswer {
    guard let entry else {
      Terminal.report(UsageSentence.noEntry)
      return .away("usage")
    }
    let credentials = Credentials(login: entry.login, password: entry.password, realm: domain, origin: origin)
    // credentials that no account can have are wrong without asking
    guard let credentials else { return HelperAnswer(.wrong) }
    return link(telling: true).answer(to: .signIn(credentials))
  }
}
