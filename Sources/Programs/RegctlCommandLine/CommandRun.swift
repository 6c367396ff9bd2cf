package import ArgumentParser
package import Linux
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

/// A signal that asks the program to stop. Commands that must clean up before they end call `check` between steps. A
/// second signal ends the program at once.
package struct Interruption: Error {
  package let signal: Signal

  /// From now on, the first such signal is only recorded, for `check`.
  package static func catchSignals() { NotedSignal.listen(for: [.interrupt, .terminate, .hangUp], once: true) }

  package static var hasCome: Bool { NotedSignal.last != nil }

  /// - Throws: An interruption, if a signal has come.
  package static func check() throws(Interruption) {
    if let signal = NotedSignal.last { throw Interruption(signal: signal) }
  }

  /// Ends the program as the signal would have.
  package func end() -> Never {
    signal.takeEffect()
    ThisProcess.exit(128 + signal.rawValue)
  }
}
