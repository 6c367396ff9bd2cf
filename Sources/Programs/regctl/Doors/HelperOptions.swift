internal import ArgumentParser
internal import DoorHelpers
internal import Localization
internal import RegctlCommandLine
internal import Registration

/// Options of the commands that other programs start.
struct HelperOptions: ParsableArguments {
  @Option(help: .said(CommonHelp.socket, valueName: "path")) var socket: String?
  @Option(help: .said(DoorHelp.domain)) var domain: String?
  @Option(help: .said(DoorHelp.seconds)) var seconds = 8
  @Flag(help: .said(DoorHelp.json)) var json = false

  func validate() throws {
    let range = LoginArguments.possibleSeconds
    guard range.contains(seconds) else {
      throw ValidationError(
        UsageMessageKey.range,
        [
          "option": "--seconds", "least": .text("\(range.lowerBound)"), "most": .text("\(range.upperBound)"),
          "value": .text("\(seconds)"),
        ])
    }
  }

  /// The command line of `regd-login` with these options.
  func arguments(of helper: LoginArguments.Helper, _ groups: RequiredGroups? = nil) -> LoginArguments {
    var arguments = LoginArguments(helper)
    (arguments.socket, arguments.domain, arguments.seconds) = (socket, domain, seconds)
    (arguments.isJSON, arguments.groups) = (json, groups?.group ?? [])
    return arguments
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
      UsageMessageKey.requiredGroups, ["limit": .number(Groups.most), "value": .text(wrong.element)])
  }
}
