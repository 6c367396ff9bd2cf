internal import Registration

/// The part of a transaction that waits for the lock of the row `installation`, in this order and in one round trip: entries of the
/// audit, and statements.
struct Changes {
  private enum Step {
    case entry(AuditEntry.Change, Account, Stamp)
    case statement(Statement, isRequired: Bool)
  }

  private var steps: [Step] = []
  /// The accounts' addresses, whose claims the changes may end.
  private(set) var keys: Set<EmailKey> = []

  var isEmpty: Bool { steps.isEmpty }

  mutating func note(_ change: AuditEntry.Change, _ account: Account, _ stamp: Stamp) {
    steps.append(.entry(change, account, stamp))
    keys.insert(account.email.key)
  }

  mutating func end(claimsOf accounts: [Account]) {
    keys.formUnion(accounts.map(\.email.key))
    add(ClaimRow.ending(for: accounts))
  }

  mutating func add(_ statement: Statement) { steps.append(.statement(statement, isRequired: false)) }

  /// Adds one that must change a row, or find one: else another change was quicker, and all is done again.
  mutating func require(_ statement: Statement) { steps.append(.statement(statement, isRequired: true)) }

  // MARK: For the commit

  private var notes: [(change: AuditEntry.Change, account: Account, stamp: Stamp)] {
    steps.compactMap { step in
      switch step {
      case .entry(let change, let account, let stamp): (change, account, stamp)
      case .statement: nil
      }
    }
  }

  var entryCount: Int { notes.count }

  func statements(_ instance: String) -> [Statement] {
    var left = entryCount
    return steps.map { step in
      switch step {
      case .entry(let change, let account, let stamp):
        left -= 1
        return AuditRow.insertion(change, account, stamp, instance, before: left)
      case .statement(let statement, _): return statement
      }
    }
  }

  /// - Parameter last: The number of the last one.
  func entries(last: Int, _ instance: String) -> [AuditEntry] {
    let notes = notes
    return notes.enumerated().map { index, note in
      AuditEntry(
        number: last - (notes.count - 1 - index), change: note.change, account: note.account.id,
        email: note.account.email.typed, stamp: note.stamp, regd: instance)
    }
  }

  /// - Parameter answers: To the statements.
  func requireMet(_ answers: [Answer]) throws(ServerFailure) {
    for (step, answer) in zip(steps, answers) {
      switch step {
      case .statement(_, isRequired: true):
        guard answer.changedRows > 0 || answer.first != nil else { throw .overtaken }
      case .statement, .entry: break
      }
    }
  }
}
