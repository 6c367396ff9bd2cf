internal import ArgumentParser
internal import CVersion
internal import Linux
internal import RegdClient
internal import Sentences

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
    Signal.brokenPipe.restoreDefault()
    for argument in (0..<Int(CommandLine.argc)).compactMap({ CommandLine.unsafeArgv[$0] })
    where String(validatingCString: argument) == nil {
      Terminal.report(FailureSentence.argumentNotUTF8, ["argument": .text(String(cString: argument))])
      ThisProcess.exit(2)
    }
    do {
      try CommandNames.check()
      var command = try parseAsRoot()
      if var waiting = command as? any AsyncParsableCommand {
        try await waiting.run()
      } else {
        try command.run()
      }
      try Terminal.checkOutput()
    } catch let interruption as Interruption {
      interruption.end()
    } catch {
      if exitCode(for: error).isSuccess { help(error) }
      let failure = CommandFailure(error)
      failure.report()
      ThisProcess.exit(failure.status)
    }
  }

  /// Prints help, or other output that ArgumentParser throws, such as completions, and ends the program.
  private static func help(_ error: any Error) -> Never {
    guard HelpText.isHelp(error) else { exit(withError: error) }
    Terminal.print(Speech.isEnglish ? HelpText().english(fullMessage(for: error)) : HelpText().help(for: error))
    ThisProcess.exit(0)
  }
}
