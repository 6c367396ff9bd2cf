package import ArgumentParser
internal import Localization
internal import UserMessages

/// The command line of `regctl backup`. The program `regd-tools` runs the command.
package struct BackupArguments: ParsableArguments {
  @Argument(help: .said(StoreTransferHelp.backupFile)) package var file: String
  @Option(help: .said(CommonHelp.database, valueName: "path")) package var database: String?
  @OptionGroup package var connection: ConnectionOptions

  package init() {}

  package func validate() throws {
    guard !file.isEmpty else { throw ValidationError(UsageMessageKey.backupName) }
  }

  package static let command = CommandConfiguration(
    commandName: "backup", abstract: .said(StoreTransferHelp.backup), discussion: .said(StoreTransferHelp.backupMore))
}

/// The command line of `regctl move`. The program `regd-tools` runs the command.
package struct MoveArguments: ParsableArguments {
  @Option(help: .said(StoreTransferHelp.moveTo, valueName: "target")) package var to: String?
  @Option(help: .said(StoreTransferHelp.moveToFile, valueName: "file")) package var toFile: String?
  @Option(help: .said(StoreTransferHelp.moveDatabase, valueName: "path")) package var database: String?
  @Flag(name: .customLong("switch"), help: .said(StoreTransferHelp.moveSwitch)) package var switches = false
  @Flag(help: .said(StoreTransferHelp.moveAbandon)) package var abandon = false
  @OptionGroup package var connection: ConnectionOptions

  package init() {}

  package func validate() throws {
    guard to == nil || toFile == nil else { throw ValidationError(UsageMessageKey.toOrToFile) }
    guard !(switches && abandon) else { throw ValidationError(UsageMessageKey.switchOrAbandon) }
  }

  package static let command = CommandConfiguration(
    commandName: "move", abstract: .said(StoreTransferHelp.move), discussion: .said(StoreTransferHelp.moveMore))
}

/// The command line of `regctl migrate`. The program `regd-tools` runs the command.
package struct MigrateArguments: ParsableArguments {
  @Option(help: .said(StoreTransferHelp.migrateStore)) package var store: String?
  @Option(help: .said(StoreTransferHelp.migrateStoreFile, valueName: "file")) package var storeFile: String?
  @Flag(help: .said(StoreTransferHelp.migrateDryRun)) package var dryRun = false
  @OptionGroup package var connection: ConnectionOptions

  package init() {}

  package func validate() throws {
    guard store == nil || storeFile == nil else { throw ValidationError(UsageMessageKey.storeOrStoreFile) }
  }

  package static let command = CommandConfiguration(
    commandName: "migrate", abstract: .said(StoreTransferHelp.migrate), discussion: .said(StoreTransferHelp.migrateMore)
  )
}
