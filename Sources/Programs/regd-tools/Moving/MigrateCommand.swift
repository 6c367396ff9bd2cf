internal import ArgumentParser
internal import Localization
internal import PostgreSQLStore
internal import RegctlCommandLine
internal import RegdClient
internal import Registration
internal import SQLiteStore
internal import UserMessages

/// `regctl migrate`: brings a store's schema up to date before a new version of regd would do so at startup.
struct MigrateCommand: ParsableCommand {
  static let configuration = MigrateArguments.command
  @OptionGroup var arguments: MigrateArguments

  private var connection: ConnectionOptions { arguments.connection }
  private var dryRun: Bool { arguments.dryRun }

  func run() throws {
    let place = try place()
    let plan: SchemaMigrationPlan
    do throws(StoreFailure) {
      plan =
        switch (place, dryRun) {
        case (.sqlite(let path), true): try SQLiteSchemaMigration.plan(path)
        case (.sqlite(let path), false): try SQLiteSchemaMigration.perform(path)
        case (.postgresql(let url), true): try PostgreSQLSchemaMigration.plan(url)
        case (.postgresql(let url), false): try PostgreSQLSchemaMigration.perform(url)
        }
    } catch {
      throw Refusal(StoreTransferMessageKey.storeReason, ["store": .text(place.words), "reason": Self.reason(error)])
    }
    report(plan)
  }

  private func place() throws -> TransferTarget {
    guard let place = try TransferTarget(text: arguments.store, file: arguments.storeFile) else {
      guard case .path(let path) = try ServedStore(connection) else {
        throw ValidationError(UsageMessageKey.whichStore)
      }
      return .sqlite(path: path)
    }
    return place
  }

  private func report(_ plan: SchemaMigrationPlan) {
    if connection.json {
      let statements = plan.statements.map { JSONValue.string($0) }
      return Terminal.print(
        JSONValue.object([
          .init("from", .number("\(plan.from)")), .init("to", .number("\(plan.to)")),
          .init("statements", .array(statements)), .init("done", .bool(!dryRun)),
        ]).text)
    }
    guard !plan.statements.isEmpty else {
      return connection.say(StoreTransferMessageKey.upToDate, ["version": .number(plan.to)])
    }
    if dryRun { for statement in plan.statements { Terminal.print("\(statement);\n") } }
    connection.say(
      dryRun ? StoreTransferMessageKey.wouldMigrate : .migrated, ["from": .number(plan.from), "to": .number(plan.to)])
  }

  private static func reason(_ failure: StoreFailure) -> LocalizedMessage.Content {
    switch failure {
    case .unavailable(let detail), .unknown(let detail): .text(detail)
    case .full: .sentence(LocalizedMessage(StoreTransferMessageKey.noRoom))
    case .readOnly: .sentence(LocalizedMessage(StoreTransferMessageKey.readOnly))
    case .cancelled: .sentence(LocalizedMessage(StoreTransferMessageKey.givenUp))
    }
  }
}
