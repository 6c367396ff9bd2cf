internal import ArgumentParser
internal import DoorHelpers
internal import Localization
internal import RegctlCommandLine
internal import Registration
internal import UserMessages

/// `regctl helper`: the helpers that other programs start to sign their users in. `regd-login` does the work.
struct HelperCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "helper", abstract: .said(DoorHelp.helper),
    subcommands: [Ejabberd.self, Apache.self, Squid.self, Checkpassword.self])

  struct Ejabberd: LoginCommand {
    static let configuration = CommandConfiguration(
      commandName: "ejabberd", abstract: .said(DoorHelp.ejabberd), discussion: .said(DoorHelp.ejabberdMore))

    @OptionGroup var helper: HelperOptions

    var arguments: LoginArguments { helper.arguments(of: .ejabberd) }
  }

  struct Squid: LoginCommand {
    static let configuration = CommandConfiguration(
      commandName: "squid", abstract: .said(DoorHelp.squid), discussion: .said(DoorHelp.squidMore))

    @OptionGroup var groups: RequiredGroups
    @OptionGroup var helper: HelperOptions

    var arguments: LoginArguments { helper.arguments(of: .squid, groups) }
  }

  struct Apache: LoginCommand {
    static let configuration = CommandConfiguration(
      commandName: "apache", abstract: .said(DoorHelp.apache), discussion: .said(DoorHelp.apacheMore))

    @OptionGroup var groups: RequiredGroups
    @OptionGroup var helper: HelperOptions

    var arguments: LoginArguments { helper.arguments(of: .apache, groups) }
  }

  /// `regctl helper checkpassword`: the interface that Dovecot, qmail and others have for programs that check passwords.
  struct Checkpassword: LoginCommand {
    static let configuration = CommandConfiguration(
      commandName: "checkpassword", abstract: .said(DoorHelp.checkpassword),
      discussion: .said(DoorHelp.checkpasswordMore))

    @OptionGroup var helper: HelperOptions
    @Argument(parsing: .captureForPassthrough, help: .said(DoorHelp.program, valueName: "program")) var words: [String]

    /// The program without the `--` that may precede it.
    private var program: ArraySlice<String> { words.first == "--" ? words.dropFirst() : words[...] }

    func validate() throws {
      guard !program.isEmpty else { throw ValidationError(UsageMessageKey.noProgram) }
    }

    var arguments: LoginArguments {
      var arguments = helper.arguments(of: .checkpassword)
      arguments.program = Array(program)
      return arguments
    }
  }
}

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
