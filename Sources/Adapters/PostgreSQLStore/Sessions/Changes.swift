internal import Registration

/// The statements that a change runs after the locks of addresses, in the order of the calls and in one round trip, and
/// its audit entries, which go with the COMMIT.
struct Changes {
  private var steps: [(statement: Statement, isRequired: Bool)] = []
  private(set) var entries = NewEntries()
  /// The answer to the locks of addresses, if the change's first statements took these locks. Nil if `CommitCoordinator` must
  /// take them.
  var ticket: CommitTicket?
  /// The addresses of the changed accounts, whose claims the change may end.
  private(set) var keys: Set<EmailKey> = []
  /// The addresses to lock, so that no other change counts or ends their claims and mails at the same time.
  private(set) var locked: Set<EmailKey> = []

  var isEmpty: Bool { steps.isEmpty && entries.isEmpty }

  mutating func note(_ draft: AuditEntry.Draft) {
    entries.note(draft)
    if let account = draft.account { keys.insert(account.email.key) }
  }

  mutating func endAddresses(of id: AccountID, at time: Timestamp) { entries.endAddresses(of: id, at: time) }

  mutating func end(claimsOf accounts: [Account]) {
    keys.formUnion(accounts.map(\.email.key))
    locked.formUnion(accounts.map(\.email.key))
    add(ClaimRow.ending(for: accounts))
  }

  mutating func lock(_ key: EmailKey) { locked.insert(key) }

  mutating func add(_ statement: Statement) { steps.append((statement, false)) }

  /// Adds a statement that must change or find a row. If it does neither, another change was faster, and the whole
  /// transaction is repeated.
  mutating func require(_ statement: Statement) { steps.append((statement, true)) }

  // MARK: For the commit

  var statements: [Statement] { steps.map(\.statement) }
  var hasRequirements: Bool { steps.contains(where: \.isRequired) }

  /// Throws if a required statement neither changed nor found a row.
  ///
  /// - Parameter answers: The answers to the statements, and perhaps others after them.
  func requireMet(_ answers: some Sequence<Answer>) throws(ServerFailure) {
    for (step, answer) in zip(steps, answers) where step.isRequired {
      guard answer.changedRows > 0 || answer.first != nil else { throw .overtaken }
    }
  }
}

/// The answers to `AuditSequencer.entering`, which marks the change as under way, locks addresses, and draws the change's turn.
struct CommitTicket {
  /// The locked addresses.
  let keys: Set<EmailKey>
  /// Has no row if this regd may not change the database.
  let entered: Answer
  /// The answer to `AuditSequencer.looking`, which has a row if entries wait for numbers. Nil if it was not sent.
  let others: Answer?
}
