package import ArgumentParser
internal import Linux
internal import UserMessages

/// What regctl and the programs that run some of its commands have in common, from the command line to the exit status.
package enum CommandRun {
  /// Runs the command that the command line names. Ends the program if the command fails or is interrupted, and for help.
  ///
  /// - Parameters:
  ///   - root: The command whose subcommands the command line names.
  ///   - prepare: Runs before the command line is parsed, and may refuse it.
  package static func main<Root: ParsableCommand>(_ root: Root.Type, prepare: () throws -> Void = {}) async {
    Signal.brokenPipe.restoreDefault()
    Terminal.requireTextArguments()
    do {
      try prepare()
      var command = try root.parseAsRoot()
      if var waiting = command as? any AsyncParsableCommand {
        try await waiting.run()
      } else {
        try command.run()
      }
      try Terminal.checkOutput()
    } catch let interruption as Interruption {
      interruption.end()
    } catch {
      if root.exitCode(for: error).isSuccess { help(error, root) }
      let failure = CommandFailure(error, of: root)
      failure.report()
      ThisProcess.exit(failure.status)
    }
  }

  /// Prints help, or other output that ArgumentParser throws, such as completions, and ends the program.
  private static func help<Root: ParsableCommand>(_ error: any Error, _ root: Root.Type) -> Never {
    guard HelpText.isHelp(error, of: root) else { root.exit(withError: error) }
    Terminal.print(
      Speech.isEnglish
        ? HelpText().english(root.fullMessage(for: error)) : HelpText().help(for: error, of: root))
    ThisProcess.exit(0)
  }
}
