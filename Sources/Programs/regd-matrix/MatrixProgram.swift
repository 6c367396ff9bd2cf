internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import UserMessages

/// `regd-matrix`: the command of regctl that runs regd in each environment. regctl becomes this program for it.
///
/// Its messages name regctl, because that is the command that was typed.
@main
struct MatrixProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regctl", abstract: .said(RegctlHelp.abstract), subcommands: [MatrixCommand.self])

  static func main() async { await CommandRun.main(MatrixProgram.self) }
}
