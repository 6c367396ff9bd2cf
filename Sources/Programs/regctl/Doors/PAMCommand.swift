internal import ArgumentParser
internal import DoorHelpers
internal import Localization
internal import LoginVerdicts
internal import RegctlCommandLine
internal import UserMessages

/// `regctl pam`: the command that pam_exec runs. `regd-login` does the work.
struct PAMCommand: LoginCommand {
  static let configuration = CommandConfiguration(
    commandName: "pam", abstract: .said(DoorHelp.pam), discussion: .said(DoorHelp.pamMore))

  @Flag(help: .said(DoorHelp.wrong)) var wrong = false
  @Flag(help: .said(DoorHelp.refused)) var refused = false
  @Flag(help: .said(DoorHelp.systemUsers)) var systemUsers = false
  @OptionGroup var groups: RequiredGroups
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard !(wrong && refused) else { throw ValidationError(UsageMessageKey.wrongOrRefused) }
  }

  var arguments: LoginArguments {
    var arguments = helper.arguments(of: .pam, groups)
    arguments.wanted = wrong ? .wrong : refused ? .refused : .right
    arguments.allowsSystemUsers = systemUsers
    return arguments
  }

  func run() throws {
    guard LoginProgram.isStartedByPAM else { throw ValidationError(UsageMessageKey.noPAMUser) }
    LoginProgram.become(arguments.words, .pam)
  }
}
