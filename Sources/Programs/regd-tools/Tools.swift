internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import UserMessages

/// `regd-tools`: the commands of regctl that open databases. regctl becomes this program for them.
///
/// Its messages name regctl, because that is the command that was typed.
@main
struct Tools: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regctl", abstract: .said(RegctlHelp.abstract),
    subcommands: [BackupCommand.self, MoveCommand.self, MigrateCommand.self])

  static func main() async { await CommandRun.main(Tools.self) }
}
