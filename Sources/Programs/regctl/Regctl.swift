internal import ArgumentParser
internal import CVersion
internal import Localization
internal import RegctlCommandLine
internal import UserMessages

/// `regctl`: the command line client of regd.
@main
struct Regctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regctl",
    abstract: .said(RegctlHelp.abstract),
    discussion: .said(RegctlHelp.discussion),
    version: "regctl \(String(cString: regd_version()))",
    groupedSubcommands: [
      CommandGroup(
        name: .said(GroupHelp.callers),
        subcommands: [Validate.self, Check.self, Register.self, SignIn.self, ClaimCommand.self, FormCommand.self]),
      CommandGroup(
        name: .said(GroupHelp.owners),
        subcommands: [
          Recover.self, ChangePassword.self, ChangeEmail.self, SignOut.self, AcceptTerms.self, MyData.self,
          Unregister.self,
        ]),
      CommandGroup(
        name: .said(GroupHelp.administrators),
        subcommands: [
          AccountCommand.self, GroupCommand.self, Invite.self, InvitationCommand.self, OutboxCommand.self,
          MailCommand.self, EventsCommand.self, ImportCommand.self, ExportCommand.self,
        ]),
      CommandGroup(
        name: .said(GroupHelp.operators),
        subcommands: [
          Status.self, DoctorCommand.self, TopCommand.self, MetricsCommand.self, Reload.self, AcceptStore.self,
          BackupCommand.self, MoveCommand.self, MigrateCommand.self, BreachedCommand.self, MessagesCommand.self,
          PAMCommand.self, HelperCommand.self, SimulateCommand.self,
        ]),
      CommandGroup(
        name: .said(GroupHelp.authors),
        subcommands: [Call.self, ClientCommand.self, MatrixCommand.self, BenchCommand.self]),
    ])

  static func main() async {
    await CommandRun.main(Regctl.self) {
      LoginProgram.leave(CommandLine.arguments.dropFirst())
      try CommandNames.check()
    }
  }
}
