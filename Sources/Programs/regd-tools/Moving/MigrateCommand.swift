internal import ArgumentParser
internal import PasswordHashing
internal import PostgreSQLStore
internal import RegctlCommandLine
internal import RegdClient
internal import Registration
internal import SQLiteStore
internal import Sentences
internal import UserMessages

/// `regctl migrate`: brings a store's schema up to date before a new version of regd would do so at startup.
struct MigrateCommand: ParsableCommand {
  static let configuration = MigrateArguments.command
  @OptionGroup var arguments: MigrateArguments

  private var connection: ConnectionOptions { arguments.connection }
  private var dryRun: Bool { arguments.dryRun }

  func run() throws {
    let place = try place()
    let plan: MigrationPlan
    do throws(StoreFailure) {
      plan =
        switch (place, dryRun) {
        case (.sqlite(let path), true): try SQLiteMigration.plan(path)
        case (.sqlite(let path), false): try SQLiteMigration.perform(path, SodiumAuditCryptography())
        case (.postgresql(let url), true): try PostgreSQLMigration.plan(url)
        case (.postgresql(let url), false): try PostgreSQLMigration.perform(url, SodiumAuditCryptography())
        }
    } catch {
      throw Refusal(MovingSentence.storeReason, ["store": .text(place.words), "reason": Self.reason(error)])
    }
    report(plan)
  }

  private func place() throws -> MovingTo {
    guard let place = try MovingTo(text: arguments.store, file: arguments.storeFile) else {
      guard case .path(let path) = try ServedStore(connection) else {
        throw ValidationError(UsageSentence.whichStore)
      }
      return .sqlite(path: path)
    }
    return place
  }

  private func report(_ plan: MigrationPlan) {
    if connection.json {
      let statements = plan.statements.map { JSONValue.string($0) }
      return Terminal.print(
        JSONValue.object([
          .init("from", .number("\(plan.from)")), .init("to", .number("\(plan.to)")),
          .init("statements", .array(statements)), .init("done", .bool(!dryRun)),
        ]).text)
    }
    guard !plan.statements.isEmpty else {
      return connection.say(MovingSentence.upToDate, ["version": .number(plan.to)])
    }
    if dryRun { for statement in plan.statements { Terminal.print("\(statement);\n") } }
    connection.say(
      dryRun ? MovingSentence.wouldMigrate : .migrated, ["from": .number(plan.from), "to": .number(plan.to)])
  }

  private static func reason(_ failure: StoreFailure) -> Sentence.Content {
    switch failure {
    case .unavailable(let detail), .unknown(let detail): .text(detail)
    case .full: .sentence(Sentence(MovingSentence.noRoom))
    case .readOnly: .sentence(Sentence(MovingSentence.readOnly))
    case .cancelled: .sentence(Sentence(MovingSentence.givenUp))
    }
  }
}
