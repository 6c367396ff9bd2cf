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
    subcommands: [
      Status.self, Validate.self, Check.self, Register.self, SignIn.self, FormCommand.self, Recover.self,
      ChangePassword.self, ChangeEmail.self, MyData.self, Unregister.self, ClaimCommand.self, AccountCommand.self,
      OutboxCommand.self, MailCommand.self, Reload.self,
      ImportCommand.self, ExportCommand.self, BackupCommand.self, MoveCommand.self, MigrateCommand.self,
      EventsCommand.self,
      MetricsCommand.self,
      TopCommand.self, BenchCommand.self, BreachedCommand.self, Call.self, MatrixCommand.self, DoctorCommand.self,
      MessagesCommand.self,
    ])

  static func main() async {
    Signal.brokenPipe.restoreDefault()
    for argument in (0..<Int(CommandLine.argc)).compactMap({ CommandLine.unsafeArgv[$0] })
    where String(validatingCString: argument) == nil {
      Terminal.report(FailureSentence.argumentNotUTF8, ["argument": .text(String(cString: argument))])
      ThisProcess.exit(2)
    }
    do {
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

  /// Prints help, or what else ArgumentParser prints by throwing it, such as completions, and ends the program.
  private static func help(_ error: any Error) -> Never {
    guard HelpText.isHelp(error), !Speech.isEnglish else { exit(withError: error) }
    print(HelpText().help(for: error))
    ThisProcess.exit(0)
  }
}
