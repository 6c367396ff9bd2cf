internal import Registration

/// The changes of one transaction. Each has its own savepoint, so that a change that fails is rolled back alone.
struct ChangeGroup {
  private struct Member {
    let change: any GroupedChange
    let transaction: SQLiteTransaction
    var hasChanged = false
    var failure: SQLiteFailure?
  }

  private let connection: Connection
  private var members: [Member] = []

  init(_ connection: Connection) { self.connection = connection }

  var count: Int { members.count }
  var hasChanged: Bool { members.contains(where: \.hasChanged) }
  /// The new entries of the audit, in order.
  var entries: [AuditEntry] { members.flatMap { $0.hasChanged ? $0.transaction.entries : [] } }
  /// Names everything whose state is unknown while the commit is in doubt.
  var scope: ChangeScope {
    var all = ChangeScope()
    for member in members where member.hasChanged {
      all.formUnion(member.change.scope.widened(member.transaction.keys))
    }
    return all
  }

  /// Runs the change in the open transaction.
  ///
  /// - Throws: If the group's first change fails, or if a later failure ends the whole transaction.
  mutating func add(_ change: any GroupedChange, in transaction: SQLiteTransaction) throws(SQLiteFailure) {
    members.append(Member(change: change, transaction: transaction))
    let last = members.count - 1
    let before = connection.totalChanges
    // the first change needs no savepoint, because its failure ends the transaction
    guard last > 0 else {
      try change.run(transaction)
      members[0].hasChanged = connection.totalChanges != before
      return
    }
    try connection.run("SAVEPOINT change")
    do throws(SQLiteFailure) {
      try change.run(transaction)
      members[last].hasChanged = connection.totalChanges != before
    } catch {
      // after some failures SQLite has rolled back the whole transaction by itself
      guard connection.isInTransaction else { throw error }
      members[last].failure = error
      try connection.run("ROLLBACK TO change")
    }
    try connection.run("RELEASE change")
  }

  /// Tells each waiting caller how its change ended.
  func end() {
    for member in members { member.change.end(member.failure?.storeFailure) }
  }

  /// The failures of single changes.
  var failures: [SQLiteFailure] { members.compactMap(\.failure) }

  /// Ends the changes that are in doubt, with this failure.
  ///
  /// - Returns: The other changes, which wrote nothing. They must run again, because they may have read the changes in
  ///   doubt.
  func end(inDoubt failure: StoreFailure) -> [any GroupedChange] {
    for member in members where member.hasChanged { member.change.end(failure) }
    return members.filter { !$0.hasChanged }.map(\.change)
  }

  /// All changes of the group, to be run again after a failure that rolled all of them back.
  var changes: [any GroupedChange] { members.map(\.change) }
}
