internal import ArgumentParser
internal import Linux
internal import PostgreSQLStore
internal import RegdClient
internal import Registration
internal import SQLiteStore

/// `regctl migrate`: brings a store's schema up to date before a regd does.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Brings the schema of a store up to date, or says what would do so.",
    discussion: """
      A regd that starts does the same by itself. With --dry-run nothing is changed: the versions and the statements are \
      printed. The schema is that of this regctl; a newer one is never taken back. Without --store and --store-file regd is \
      asked where its database is.
      """)

  @Option(help: "The path of a database, or postgresql://USER@HOST/DATABASE. A password there is seen by all users.")
  var store: String?
  @Option(help: "A file whose first line is the store, - for standard input; else REGD_STORE_POSTGRESQL_URL.")
  var storeFile: String?
  @Flag(help: "Only say what would be done.") var dryRun = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard store == nil || storeFile == nil else { throw ValidationError("--store and --store-file exclude each other") }
  }

  func run() throws {
    let place = try place()
    let plan: MigrationPlan
    do throws(StoreFailure) {
      plan =
        switch (place, dryRun) {
        case (.sqlite(let path), true): try SQLiteMigration.plan(path)
        case (.sqlite(let path), false): try SQLiteMigration.perform(path)
        case (.postgresql(let url), true): try PostgreSQLMigration.plan(url)
        case (.postgresql(let url), false): try PostgreSQLMigration.perform(url)
        }
    } catch {
      throw Refusal(message: "\(place.words): \(Self.words(error))")
    }
    report(plan)
  }

  private func place() throws -> MovingTo {
    guard let place = try MovingTo(text: store, file: storeFile) else {
      guard case .path(let path) = try ServedStore(connection) else {
        throw ValidationError("--store or --store-file says which store: its path, or postgresql://USER@HOST/DATABASE")
      }
      return .sqlite(path: path)
    }
    return place
  }

  private func report(_ plan: MigrationPlan) {
    if connection.json {
      let statements = plan.statements.map { JSONValue.string($0) }
      return print(
        JSONValue.object([
          .init("from", .number("\(plan.from)")), .init("to", .number("\(plan.to)")),
          .init("statements", .array(statements)), .init("done", .bool(!dryRun)),
        ]).text)
    }
    guard !plan.statements.isEmpty else { return print("up to date: version \(plan.to)") }
    if dryRun { for statement in plan.statements { print("\(statement);\n") } }
    print("\(dryRun ? "would bring" : "brought") the schema from version \(plan.from) to \(plan.to)")
  }

  private static func words(_ failure: StoreFailure) -> String {
    switch failure {
    case .unavailable(let detail), .unknown(let detail): detail
    case .full: "there is no room"
    case .readOnly: "it may not be written"
    case .cancelled: "it was given up"
    }
  }
}
