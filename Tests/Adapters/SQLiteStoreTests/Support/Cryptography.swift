import PasswordHashing
import Registration

@testable import SQLiteStore

// Tests that open a database hash its audit as regd does.

extension SQLiteStore {
  init(
    path: String, busyMilliseconds: Int32 = 5000, maximumBytes: Int? = nil, isReadOnly: Bool = false,
    vfs: String? = nil, completedFor hold: String? = nil, claimant: Claimant = Claimant(),
    damaged: @escaping DamageObserver = { _ in }, observer: @escaping AuditObserver = { _ in },
    doing: @Sendable (_ what: String) -> Void = { _ in }
  ) throws(StoreFailure) {
    try self.init(
      path: path, cryptography: SodiumAuditCryptography(), busyMilliseconds: busyMilliseconds,
      maximumBytes: maximumBytes, isReadOnly: isReadOnly, vfs: vfs, completedFor: hold, claimant: claimant,
      damaged: damaged, observer: observer, doing: doing)
  }

  init(
    writer: sending Connection, reader: sending Connection, lister: sending Connection? = nil,
    claimant: Claimant = Claimant(), groups: GroupBounds = GroupBounds(),
    observer: @escaping AuditObserver = { _ in }
  ) throws(StoreFailure) {
    try self.init(
      writer: writer, reader: reader, lister: lister, cryptography: SodiumAuditCryptography(), claimant: claimant,
      groups: groups, observer: observer)
  }

  static func open(
    _ path: String, _ busyMilliseconds: Int32, vfs: String? = nil
  ) throws(SQLiteFailure) -> sending Connection {
    try open(path, busyMilliseconds, SodiumAuditCryptography(), vfs: vfs)
  }
}

extension SQLiteTransaction {
  convenience init(_ connection: Connection, _ claimant: Claimant, _ codeKey: CodeKey) {
    self.init(connection, claimant, codeKey, SodiumAuditCryptography())
  }
}

extension SQLiteSchemaMigration {
  static func perform(_ path: String) throws(StoreFailure) -> SchemaMigrationPlan {
    try perform(path, SodiumAuditCryptography())
  }
}

extension SQLiteMoveTarget {
  convenience init(_ path: String, source: String) throws(MoveFailure) {
    try self.init(path, source: source, SodiumAuditCryptography())
  }
}
