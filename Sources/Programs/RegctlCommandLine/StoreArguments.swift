package import ArgumentParser
internal import Sentences
internal import UserMessages

/// The command line of `regctl backup`. The program `regd-tools` runs the command.
package struct BackupArguments: ParsableArguments {
  @Argument(help: .said(MovingHelp.backupFile)) package var file: String
  @Option(help: .said(CommonHelp.database, valueName: "path")) package var database: String?
  @OptionGroup package var connection: ConnectionOptions

  package init() {}

  package func validate() throws {
    guard !file.isEmpty else { throw ValidationError(UsageSentence.backupName) }
  }

  package static let command = CommandConfiguration(
    commandName: "backup", abstract: .said(MovingHelp.backup), discussion: .said(MovingHelp.backupMore))
}

/// The command line of `regctl move`. The program `regd-tools` runs the command.
package struct MoveArguments: ParsableArguments {
  @Option(help: .said(MovingHelp.moveTo, valueName: "target")) package var to: String?
  @Option(help: .said(MovingHelp.moveToFile, valueName: "file")) package var toFile: String?
  @Option(help: .said(MovingHelp.moveDatabase, valueName: "path")) package var database: String?
  @Flag(name: .customLong("switch"), help: .said(MovingHelp.moveSwitch)) package var switches = false
  @Flag(help: .said(MovingHelp.moveAbandon)) package var abandon = false
  @OptionGroup package var connection: ConnectionOptions

  package init() {}

  package func validate() throws {
    guard to == nil || toFile == nil else { throw ValidationError(UsageSentence.toOrToFile) }
    guard !(switches && abandon) else { throw ValidationError(UsageSentence.switchOrAbandon) }
  }

  package static let command = CommandConfiguration(
    commandName: "move", abstract: .said(MovingHelp.move), discussion: .said(MovingHelp.moveMore))
}

/// The command line of `regctl migrate`. The program `regd-tools` runs the command.
package struct MigrateArguments: ParsableArguments {
  @Option(help: .said(MovingHelp.migrateStore)) package var store: String?
  @Option(help: .said(MovingHelp.migrateStoreFile, valueName: "file")) package var storeFile: String?
  @Flag(help: .said(MovingHelp.migrateDryRun)) package var dryRun = false
  @OptionGroup package var connection: ConnectionOptions

  package init() {}

  package func validate() throws {
    guard store == nil || storeFile == nil else { throw ValidationError(UsageSentence.storeOrStoreFile) }
  }

  package static let command = CommandConfiguration(
    commandName: "migrate", abstract: .said(MovingHelp.migrate), discussion: .said(MovingHelp.migrateMore))
}
