internal import Registration

/// Reads and writes the rows of accounts.
enum AccountRow {
  /// An id below that of every account: the page after this id is the first page.
  static let beforeAll = "00000000-0000-0000-0000-000000000000"

  static let columns = TimeColumn.list(StoredAccount.columns, of: "account")

  /// Inserts an account, or nothing if another account has its `email_key`.
  ///
  /// - Parameter orNothing: Whether a taken id also inserts nothing. If false, a taken id is a failure.
  static func insertion(_ stored: StoredAccount, orNothing: Bool = false) -> Statement {
    let account = stored.account
    return Statement(
      """
      INSERT INTO account (id, email, email_key, password_hash, state, created_at, updated_at, confirmed_at, terms_version, terms_at,
        epoch, proven, registrant_uid, registrant_origin, registrant_language, group_names, display_name)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::integer, $13, $14, $15, $16, $17)
      ON CONFLICT \(orNothing ? "" : "(email_key)") DO NOTHING
      """,
      [
        .text(account.id.description), .text(account.email.typed), .text(account.email.key.value),
        .text(stored.passwordHash.phc), .text(account.state.rawValue), .text(account.createdAt.rfc3339),
        .text(account.updatedAt.rfc3339), .init(stored.confirmedAt?.rfc3339),
        .init(account.terms?.version), .init(account.terms?.acceptedAt.rfc3339), .init(account.epoch.text),
        .init(account.isProven.map { $0 ? "1" : "0" }),
        .init(stored.registrant.map { "\($0.uid)" }), .init(stored.registrant?.origin),
        .init(stored.registrant?.language), .init(account.groups.stored), .init(account.displayName?.text),
      ])
  }

  static func look(_ key: EmailKey) -> Statement {
    Statement("SELECT \(columns) FROM account WHERE email_key = $1", [.text(key.value)])
  }

  static func look(_ id: AccountID) -> Statement {
    Statement("SELECT \(columns) FROM account WHERE id = $1", [.text(id.description)])
  }

  static func find(_ connection: Connection, _ key: EmailKey) throws(ServerFailure) -> StoredAccount? {
    try first(connection, look(key))
  }

  static func find(_ connection: Connection, _ id: AccountID) throws(ServerFailure) -> StoredAccount? {
    try first(connection, look(id))
  }

  /// Locks the row until the end of the transaction.
  static func lock(_ connection: Connection, _ id: AccountID) throws(ServerFailure) -> StoredAccount? {
    let look = look(id)
    return try first(connection, Statement("\(look.sql) FOR UPDATE", look.parameters))
  }

  /// Updates an account. The answer has the updated row, or no row if no account is as expected.
  static func updating(
    _ id: AccountID, _ update: AccountUpdate, ifIs expected: ExpectedAccount, _ time: Timestamp
  ) -> Statement {
    let (assignments, values): (String, [Statement.Parameter]) =
      switch update {
      case .mark: ("", [])
      case .state(let state): ("state = $5,\(state.keepsRegistrant ? "" : withoutRegistrant)", [.text(state.rawValue)])
      case .disabled(let epoch): ("state = 'disabled', epoch = $5,", [.init(epoch.text)])
      case .password(let hash, nil): ("password_hash = $5, confirmed_at = $2::timestamptz,", [.text(hash.phc)])
      case .password(let hash, let epoch?):
        ("password_hash = $5, confirmed_at = $2::timestamptz, epoch = $6,", [.text(hash.phc), .init(epoch.text)])
      case .epoch(let epoch): ("epoch = $5,", [.init(epoch.text)])
      case .recovered(let hash, let epoch):
        (
          "password_hash = $5, confirmed_at = $2::timestamptz, epoch = $6, proven = 1,",
          [.text(hash.phc), .init(epoch.text)]
        )
      case .email(let email, let isProven):
        (
          "email = $5, email_key = $6, proven = $7::integer,",
          [.text(email.typed), .text(email.key.value), isProven ? "1" : "0"]
        )
      case .groups(let groups): ("group_names = $5,", [.init(groups.stored)])
      case .displayName(let name): ("display_name = $5,", [.init(name?.text)])
      case .terms(let terms):
        ("terms_version = $5, terms_at = $6,", [.text(terms.version), .init(terms.acceptedAt)])
      }
    return Statement(
      """
      UPDATE account SET \(assignments) updated_at = greatest(updated_at, $2::timestamptz)
      WHERE id = $1 AND state = coalesce($3, state) AND password_hash = coalesce($4, password_hash) RETURNING \(columns)
      """,
      [
        .text(id.description), .init(time), .init(expected.state?.rawValue), .init(expected.passwordHash?.phc),
      ] + values)
  }

  private static let withoutRegistrant =
    " registrant_uid = NULL, registrant_origin = NULL, registrant_language = NULL,"

  /// As `StoreTransaction.waiting` defines.
  static func waiting(_ connection: Connection, by registrant: Registrant) throws(ServerFailure) -> WaitingCounts {
    let counts = try connection.answer(
      Statement(
        """
        SELECT count(*), count(*) FILTER (WHERE registrant_uid = $1::bigint),
          count(*) FILTER (WHERE registrant_uid = $1::bigint AND registrant_origin IS NOT DISTINCT FROM $2::bytea)
        FROM account WHERE state = 'waiting' AND registrant_uid IS NOT NULL
        """, ["\(registrant.uid)", .init(registrant.origin)])
    ).first
    guard let counts else { return WaitingCounts(ofAll: 0, ofUser: 0, ofOrigin: 0) }
    return WaitingCounts(ofAll: counts.integer(0), ofUser: counts.integer(1), ofOrigin: counts.integer(2))
  }

  private static func first(_ connection: Connection, _ statement: Statement) throws(ServerFailure) -> StoredAccount? {
    guard let row = try connection.answer(statement).first else { return nil }
    return try read(row)
  }

  static func exists(_ connection: Connection, _ id: AccountID) throws(ServerFailure) -> Bool {
    try !connection.run("SELECT 1 FROM account WHERE id = $1", [.text(id.description)]).isEmpty
  }

  /// Returns the readable rows. Reports the others to the damage log.
  static func list(
    _ connection: Connection, _ state: Account.State?, after: AccountID?, limit: Int
  ) throws(ServerFailure) -> [StoredAccount] {
    try connection.readable(
      behind: after?.description ?? beforeAll, limit: limit, { listing(state, after: $0, limit: $1) },
      key: { $0.text(0) }, { (row) throws(ServerFailure) in try read(row) })
  }

  /// The state is not a parameter, because a plan for any state cannot use the index of one state.
  static func listing(_ state: Account.State?, after: String, limit: Int) -> Statement {
    let condition = state.map { "AND state = '\($0.rawValue)'" } ?? ""
    return Statement(
      "SELECT \(columns) FROM account WHERE id > $1 \(condition) ORDER BY id LIMIT $2::bigint",
      [.text(after), "\(limit)"])
  }

  /// Members of a group, as `list` returns accounts.
  static func list(
    _ connection: Connection, of group: GroupName, after: AccountID?, limit: Int
  ) throws(ServerFailure) -> [StoredAccount] {
    try connection.readable(
      behind: after?.description ?? beforeAll, limit: limit,
      { after, limit in
        Statement(
          """
          SELECT \(columns) FROM account_group JOIN account ON account.id = account_group.account_id
          WHERE group_name = $1 AND account_id > $2 ORDER BY account_id LIMIT $3::bigint
          """, [.text(group.description), .text(after), "\(limit)"])
      }, key: { $0.text(0) }, { (row) throws(ServerFailure) in try read(row) })
  }

  /// Counts one group after another, in the order of the primary key, until the page is complete. The last column is 1 if a
  /// further group follows the page.
  private static let counting = """
    WITH RECURSIVE page (group_name, members, total, place) AS (
      SELECT following.group_name, counted.members, counted.members, 1::bigint
      FROM (SELECT group_name FROM account_group WHERE group_name > $1 ORDER BY group_name LIMIT 1) AS following,
        LATERAL (SELECT count(*) AS members FROM account_group WHERE group_name = following.group_name) AS counted
      UNION ALL
      SELECT following.group_name, counted.members, page.total + counted.members, page.place + 1
      FROM page,
        LATERAL (SELECT group_name FROM account_group WHERE group_name > page.group_name ORDER BY group_name LIMIT 1)
          AS following,
        LATERAL (SELECT count(*) AS members FROM account_group WHERE group_name = following.group_name) AS counted
      WHERE page.total < $2::bigint AND page.place < $3::bigint)
    SELECT group_name, members,
      ((SELECT group_name FROM account_group WHERE group_name > (SELECT max(group_name) FROM page)
        ORDER BY group_name LIMIT 1) IS NOT NULL)::integer
    FROM page ORDER BY group_name
    """

  static func groups(
    _ connection: Connection, after: GroupName?, limit: Int, counting most: Int
  ) throws(ServerFailure) -> Page<GroupName, CountedGroup> {
    var start = after?.description ?? ""
    while true {
      let rows = try connection.run(counting, [.text(start), "\(most)", "\(limit)"])
      let found = rows.compactMap { row in GroupName(row.text(0)).map { CountedGroup($0, members: row.integer(1)) } }
      let page = Page<GroupName, CountedGroup>(elements: found, hasMore: rows.last?.integer(2) == 1)
      // a page of names that another program has damaged does not end the list
      guard found.isEmpty, page.hasMore, let last = rows.last else { return page }
      start = last.text(0)
    }
  }

  static func read(_ row: Row) throws(ServerFailure) -> StoredAccount {
    try row.read(.account, StoredAccount.columns.count) { (columns) throws(DamagedRow) in try StoredAccount(columns) }
  }
}
