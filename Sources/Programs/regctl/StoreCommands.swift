internal import ArgumentParser
internal import RegctlCommandLine

/// The commands that open databases. regctl reads their command lines, and `regd-tools` runs them.
struct BackupCommand: ParsableCommand {
  static let configuration = BackupArguments.command
  @OptionGroup var arguments: BackupArguments

  func run() throws { try OtherProgram.tools.become() }
}

struct MoveCommand: ParsableCommand {
  static let configuration = MoveArguments.command
  @OptionGroup var arguments: MoveArguments

  func run() throws { try OtherProgram.tools.become() }
}

struct MigrateCommand: ParsableCommand {
  static let configuration = MigrateArguments.command
  @OptionGroup var arguments: MigrateArguments

  func run() throws { try OtherProgram.tools.become() }
}
