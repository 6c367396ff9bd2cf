internal import Registration

/// Reads and writes the rows of accounts.
enum AccountRow {
  static let columns = StoredAccount.columns.joined(separator: ", ")

  /// The columns by which one account can be found.
  enum Column: String {
    case id
    case emailKey = "email_key"
  }

  /// Inserts an account, or nothing if another account has its `email_key`. Returns whether the account was inserted.
  ///
  /// - Parameter idMayBeTaken: Whether a taken id also inserts nothing. If false, a taken id is a failure.
  static func insert(
    _ connection: Connection, _ stored: StoredAccount, idMayBeTaken: Bool = false
  ) throws(SQLiteFailure) -> Bool {
    let account = stored.account
    let taken = idMayBeTaken ? "" : "(email_key)"
    try connection.run(
      """
      INSERT INTO account (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15,
        ?16, ?17)
      ON CONFLICT \(taken) DO NOTHING
      """,
      [
        account.id.description, account.email.typed, account.email.key.value, stored.passwordHash.phc,
        account.state.rawValue, account.createdAt.rfc3339, account.updatedAt.rfc3339, stored.confirmedAt?.rfc3339,
        account.terms?.version, account.terms?.acceptedAt.rfc3339, account.epoch.text,
        account.isProven.map { $0 ? "1" : "0" },
        stored.registrant.map { "\($0.uid)" }, stored.registrant?.origin?.text, stored.registrant?.language,
        account.groups.stored, account.displayName?.text,
      ])
    return connection.changes == 1
  }

  static func find(
    _ connection: Connection, by column: Column, _ value: String
  ) throws(SQLiteFailure) -> StoredAccount? {
    try connection.query("SELECT \(columns) FROM account WHERE \(column.rawValue) = ?1", [value], read).first
  }

  static func find(_ connection: Connection, _ id: AccountID) throws(SQLiteFailure) -> StoredAccount? {
    try find(connection, by: .id, id.description)
  }

  /// - Returns: The updated account, or nil if no account is as expected.
  static func update(
    _ connection: Connection, _ id: AccountID, _ update: AccountUpdate, ifIs expected: ExpectedAccount,
    _ time: Timestamp
  ) throws(SQLiteFailure) -> Account? {
    let (assignments, values): (String, [String?]) =
      switch update {
      case .mark: ("", [])
      case .state(let state): ("state = ?5,\(state.keepsRegistrant ? "" : withoutRegistrant)", [state.rawValue])
      case .terms(let terms): ("terms_version = ?5, terms_at = ?6,", [terms.version, terms.acceptedAt.rfc3339])
      case .groups(let groups): ("group_names = ?5,", [groups.stored])
      case .displayName(let name): ("display_name = ?5,", [name?.text])
      case .disabled(let epoch): ("state = 'disabled', epoch = ?5,", [epoch.text])
      case .password(let hash, nil): ("password_hash = ?5, confirmed_at = ?2,", [hash.phc])
      case .password(let hash, let epoch?):
        ("password_hash = ?5, confirmed_at = ?2, epoch = ?6,", [hash.phc, epoch.text])
      case .epoch(let epoch): ("epoch = ?5,", [epoch.text])
      case .recovered(let hash, let epoch):
        ("password_hash = ?5, confirmed_at = ?2, epoch = ?6, proven = 1,", [hash.phc, epoch.text])
      case .email(let email, let isProven):
        ("email = ?5, email_key = ?6, proven = ?7,", [email.typed, email.key.value, isProven ? "1" : "0"])
      }
    try connection.run(
      """
      UPDATE account SET \(assignments) updated_at = max(updated_at, ?2)
      WHERE id = ?1 AND state = ifnull(?3, state) AND password_hash = ifnull(?4, password_hash)
      """, [id.description, time.rfc3339, expected.state?.rawValue, expected.passwordHash?.phc] + values)
    return connection.changes == 1 ? try find(connection, id)?.account : nil
  }

  private static let withoutRegistrant =
    " registrant_uid = NULL, registrant_origin = NULL, registrant_language = NULL,"

  /// As `StoreTransaction.waiting` defines.
  static func waiting(
    _ connection: Connection, by registrant: Registrant
  ) throws(SQLiteFailure) -> WaitingCounts {
    let counts = try connection.query(
      """
      SELECT count(*), count(*) FILTER (WHERE registrant_uid = ?1),
        count(*) FILTER (WHERE registrant_uid = ?1 AND registrant_origin IS ?2)
      FROM account WHERE state = 'waiting' AND registrant_uid IS NOT NULL
      """, ["\(registrant.uid)", registrant.origin?.text]
    ) { (row) throws(SQLiteFailure) in
      WaitingCounts(ofAll: row.integer(0), ofUser: row.integer(1), ofOrigin: row.integer(2))
    }
    return counts.first ?? WaitingCounts(ofAll: 0, ofUser: 0, ofOrigin: 0)
  }

  static func remove(_ connection: Connection, _ id: AccountID) throws(SQLiteFailure) {
    try connection.run("DELETE FROM account WHERE id = ?1", [id.description])
  }

  static func exists(_ connection: Connection, _ id: AccountID) throws(SQLiteFailure) -> Bool {
    let found = try connection.query("SELECT 1 FROM account WHERE id = ?1", [id.description]) {
      (_) throws(SQLiteFailure) in true
    }
    return !found.isEmpty
  }

  /// Returns the readable rows, and reports the others to the connection's damage log.
  ///
  /// - Parameter state: The accounts' state, or nil for any.
  static func list(
    _ connection: Connection, _ state: Account.State?, after: AccountID?, limit: Int
  ) throws(SQLiteFailure) -> [StoredAccount] {
    try connection.readable(listing(state), [after?.description ?? ""], limit: limit, read)
  }

  /// The state is not a parameter, because SQLite uses the index of a state only for a constant.
  static func listing(_ state: Account.State?) -> String {
    let condition = state.map { "AND state = '\($0.rawValue)'" } ?? ""
    return "SELECT \(columns) FROM account WHERE id > ?1 \(condition) ORDER BY id"
  }

  /// Members of a group, as `list` returns accounts.
  static func list(
    _ connection: Connection, of group: GroupName, after: AccountID?, limit: Int
  ) throws(SQLiteFailure) -> [StoredAccount] {
    try connection.readable(
      """
      SELECT \(columns) FROM account_group CROSS JOIN account ON account.id = account_group.account_id
      WHERE group_name = ?1 AND account_id > ?2 ORDER BY account_id
      """,
      [group.description, after?.description ?? ""], limit: limit, read)
  }

  /// SQLite counts in the order of the primary key. So each step of the statement reads only the rows of the next group.
  static let counting =
    "SELECT group_name, count(*) FROM account_group WHERE group_name > ?1 GROUP BY group_name ORDER BY group_name"

  static func groups(
    _ connection: Connection, after: GroupName?, limit: Int, counting most: Int
  ) throws(SQLiteFailure) -> Page<GroupName, CountedGroup> {
    var (found, last, total): ([CountedGroup], String, Int) = ([], after?.description ?? "", 0)
    let statement = try connection.statement(counting)
    defer { statement.reset() }
    try statement.bind(last, at: 1)
    // a name that another program has damaged does not end the page
    while found.count < limit, total < most || found.isEmpty, try statement.step() {
      let row = Row(statement: statement)
      let members = row.integer(1)
      (last, total) = (row.text(0), total + members)
      if let name = GroupName(last) { found.append(CountedGroup(name, members: members)) }
    }
    // sees the same moment, because the statement is not reset yet
    let rest = try connection.integer("SELECT EXISTS (SELECT 1 FROM account_group WHERE group_name > ?1)", [last])
    return Page(elements: found, hasMore: rest != 0)
  }

  static func read(_ row: borrowing Row) throws(SQLiteFailure) -> StoredAccount {
    try row.read(.account, StoredAccount.columns.count) { (columns) throws(DamagedRow) in try StoredAccount(columns) }
  }
}
