import PasswordHashing
import Registration

@testable import PostgreSQLStore

// Tests that open a database hash its audit as regd does.

extension PostgreSQLStore {
  init(
    _ settings: Settings, schema: Schema = Schema(), claimant: Claimant = Claimant(),
    damaged: @escaping DamageObserver = { _ in }, observer: @escaping AuditObserver = { _ in },
    doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(StoreFailure) {
    try self.init(
      settings, schema: schema, cryptography: SodiumAuditCryptography(), claimant: claimant, damaged: damaged,
      observer: observer, doing: doing)
  }
}

extension Schema {
  func migrate(
    _ connection: Connection, doing: (_ what: String) -> Void
  ) throws(ServerFailure) -> (Installation, isNew: Bool) {
    try migrate(connection, SodiumAuditCryptography(), doing: doing)
  }
}

extension PostgreSQLSchemaMigration {
  static func perform(_ url: String) throws(StoreFailure) -> SchemaMigrationPlan {
    try perform(url, SodiumAuditCryptography())
  }
}

extension PostgreSQLMoveTarget {
  convenience init(
    _ url: String, connectLimit: Duration = .seconds(5), answerLimit: Duration = .seconds(60)
  ) throws(MoveFailure) {
    try self.init(url, SodiumAuditCryptography(), connectLimit: connectLimit, answerLimit: answerLimit)
  }
}
