internal import Registration

/// The locks that changes take. All changes take them in this order, so that no two deadlock. If changes deadlock
/// anyway (during an import of many accounts, for example), the server ends one of them (40P01), and regd repeats that
/// one.
///
/// 1. The *request* (advisory): it may have one claim or one account, but these are in two tables, which no constraint
///    spans. A look-up that has not found the request's registration looks whether this lock is free, and then looks
///    again.
/// 2. *Accounts*: their rows, and the unique indexes of ids, addresses and requests.
/// 3. The *mark* (advisory, by the session's backend): shows that the change is under way. Only code that must know
///    when the change ends looks whether it is free (`CommitCoordinator.settle`).
/// 4. *Addresses* (advisory, in the order of their numbers), because counts for bounds, and ends of claims, concern
///    many rows.
/// 5. *Invitations* (advisory): changes that take a use share the lock. A revocation takes it exclusively, and none of
///    the locks above before it. So no use of a revoked invitation is taken. (A row's lock would not do: newcomers
///    could always share it with the present holders, and the revocation would wait for ever.)
/// 6. The rows of *claims* and *mails*.
/// 7. The rows of *uses* of invitations, and their primary key: if two changes want the same use, the later one waits,
///    and then looks for another use.
/// 8. The *numbers* of the audit (`AuditSequencer`): a change takes this lock only if it is free, and never waits for it.
///
/// Before the mark, a change that takes a *use* also locks the use's number (advisory), but only if that lock is free.
///
/// A change that asks beforehand whether the bounds admit a mail takes the lock of that address (`address`) before the
/// mark.
///
/// All locks end with their transaction. No isolation above READ COMMITTED is needed: each statement after a lock sees
/// what the previous holder of the lock has committed.
struct Locks: Sendable {
  private let addresses: CountingHash
  private let requests: CountingHash
  private let invitations: CountingHash
  /// The first of the two numbers of a mark's advisory lock. If one database has several schemas of regd, each has
  /// another number here.
  private let marks: Int32
  /// An SQL condition on the row `installation`: the row is the opened database's, and this regd may still change it.
  private let isOurs: String

  init(_ installation: Installation, _ schema: Schema, _ codeKey: CodeKey) {
    addresses = CountingHash(codeKey, for: "address locks")
    requests = CountingHash(codeKey, for: "request locks")
    invitations = CountingHash(codeKey, for: "invitation locks")
    marks = Int32(bitPattern: UInt32(installation.id.suffix(8), radix: 16) ?? 0)
    isOurs = "id = '\(installation.id)' AND \(schema.fence)"
  }

  func request(_ request: RequestKey) -> Statement {
    Statement("SELECT pg_advisory_xact_lock($1)", ["\(number(request))"])
  }

  /// Whether no change has the request's lock. The lock ends with the statement, which is a separate transaction.
  func isFree(_ request: RequestKey) -> Statement {
    Statement("SELECT pg_try_advisory_xact_lock_shared($1)", ["\(number(request))"])
  }

  private func number(_ request: RequestKey) -> Int64 { requests.number(request.id, after: UInt64(request.uid)) }

  func address(_ key: EmailKey) -> Statement {
    Statement("SELECT pg_advisory_xact_lock($1)", ["\(addresses.number(key.value))"])
  }

  func invitation(_ id: InvitationID, isAlone: Bool) -> Statement {
    let lock = isAlone ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared"
    return Statement("SELECT \(lock)($1)", ["\(invitations.number(id.description))"])
  }

  /// The number from which `UseRow.looking` computes the lock of each use.
  func uses(of id: InvitationID) -> Int { Int(invitations.number("\(id) uses")) }

  /// Marks a change as under way, locks addresses, and then computes `more`. The answer has no row if this regd may not change
  /// the database. Otherwise its row has three columns, the first with the backend's process id, and then the results of `more`.
  ///
  /// Because the statement reads the table `installation`, no other transaction, such as a migration, can lock the
  /// whole table until this one has ended.
  func entering(_ keys: Set<EmailKey> = [], _ more: String? = nil) -> Statement {
    let numbers = keys.map { addresses.number($0.value) }.sorted().map { "\($0)" }
    let (all, parameters): (String, [Statement.Parameter]) =
      switch numbers.count {
      case 0: ("NULL", [])
      case 1: ("pg_advisory_xact_lock($1)", [.text(numbers[0])])
      case _:
        ("(SELECT count(pg_advisory_xact_lock(number)) FROM unnest($1::bigint[]) AS number)", [.array(numbers)])
      }
    let mark = "pg_backend_pid(), pg_advisory_xact_lock(\(marks), pg_backend_pid())"
    let rest = more.map { ", \($0)" } ?? ""
    return Statement("SELECT \(mark), \(all)\(rest) FROM installation WHERE \(isOurs)", parameters)
  }

  /// Those of the backends whose changes have ended. Waits for no lock, and keeps none.
  func ended(_ backends: [Int]) -> Statement {
    Statement(
      """
      SELECT backend FROM unnest($1::integer[]) AS backend
      WHERE CASE WHEN pg_try_advisory_lock_shared(\(marks), backend)
        THEN pg_advisory_unlock_shared(\(marks), backend) ELSE FALSE END
      """, [.array(backends.map { "\($0)" })])
  }
}
