internal import ArgumentParser
internal import DoorHelpers
internal import Linux
internal import RegdClient
internal import Registration
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
  /// - Parameters:
  ///   - entry: The name and password, or nil if they did not arrive completely, so that nothing is decided.
  ///   - groups: The account must be in one of these groups, if there are any.
  func answer(to entry: HandedEntry?, origin: String?, groups: [String] = []) -> HelperAnswer {
    guard let entry else {
      Terminal.report(UsageSentence.noEntry)
      return .away("usage")
    }
    let credentials = Credentials(login: entry.login, password: entry.password, realm: domain, origin: origin)
    // credentials that no account can have are wrong without asking
    guard let credentials else { return HelperAnswer(.wrong) }
    return link(telling: true).answer(to: .signIn(credentials, groups: groups))
  }
}

/// The option of the commands that can let in members of groups alone.
struct RequiredGroups: ParsableArguments {
  @Option(help: .said(DoorHelp.group, valueName: "name")) var group: [String] = []

  /// Refuses what regd would refuse, because regd's error would be taken for a wrong password.
  func validate() throws {
    let wrong = group.enumerated().first { index, name in index >= Groups.most || GroupName(name) == nil }
    guard let wrong else { return }
    throw ValidationError(
      UsageSentence.requiredGroups, ["limit": .number(Groups.most), "value": .text(wrong.element)])
  }
}
