internal import Registration

/// Remembers released registrations: pending accounts that were removed although the upstream may have them.
enum ReleasedRow {
  /// Records the release of an account, once for each of its requests. The account must still exist. Forgets releases
  /// that are too old or too many.
  static func remember(_ connection: Connection, _ id: AccountID, _ now: Clocks) throws(ServerFailure) {
    let account = Statement.Parameter.text(id.description)
    let users = try connection.run("SELECT DISTINCT uid FROM request WHERE account_id = $1", [account]).map {
      $0.text(0)
    }
    let counting = users.map { Statement("SELECT count(*) FROM released WHERE uid = $1", [.text($0)]) }
    let answers = try connection.run(
      [
        // a release that was remembered before gets a new row, because the latest release must have the largest number
        Statement(
          """
          DELETE FROM released USING request
          WHERE request.account_id = $1 AND request.uid = released.uid AND request.id = released.id
            AND (released.account_id = $1) IS TRUE
          """, [account]),
        Statement(
          """
          INSERT INTO released (uid, id, account_id, email, email_key, password_hash, released_at)
          SELECT request.uid, request.id, account.id, account.email, account.email_key, request.password_hash, $2::timestamptz
          FROM request JOIN account ON account.id = request.account_id WHERE account.id = $1
          """, [account, .init(now)]),
        Statement("DELETE FROM released WHERE released_at < \(oldest(now, "$1"))", [.init(now)]),
      ] + counting)
    for (uid, answer) in zip(users, answers.suffix(users.count)) {
      let count = answer.first?.integer(0) ?? 0
      if count > ReleasedRegistration.mostPerUser {
        _ = try connection.answer(forgetting(count - ReleasedRegistration.mostLeft, of: uid))
      }
    }
  }

  /// Forgets `count` of a user's releases: one after another, the oldest release of the origin that has the most. The
  /// audit tells from which origin an account was registered.
  static func forgetting(_ count: Int, of uid: String) -> Statement {
    // within an origin, place 1 is the latest release
    Statement(
      """
      DELETE FROM released WHERE number = ANY (ARRAY(
        SELECT number FROM (
          SELECT number, row_number() OVER (PARTITION BY origin ORDER BY number DESC) AS place FROM (
            SELECT released.number, (
              SELECT origin FROM
              \(AuditRow.one(.last, of: "released.account_id", where: "change = 'account.reserved'")) AS entry) AS origin
            FROM released WHERE released.uid = $1) AS reserved) AS ranked
        ORDER BY place DESC, number LIMIT $2::bigint))
      """, [.text(uid), "\(count)"])
  }

  /// Selects the account that was released last, however long ago.
  static func last(_ request: RequestKey, _ key: EmailKey) -> Statement {
    Statement(
      "SELECT account_id FROM released WHERE uid = $1 AND id = $2 AND email_key = $3 ORDER BY number DESC LIMIT 1",
      ["\(request.uid)", .text(request.id), .text(key.value)])
  }

  static func find(
    _ connection: Connection, _ request: RequestKey, _ key: EmailKey, _ now: Clocks
  ) throws(ServerFailure) -> [ReleasedRegistration] {
    try connection.readable(
      behind: Int.max, limit: ReleasedRegistration.mostGiven,
      { before, limit in
        Statement(
          """
          SELECT \(ReleasedRegistration.columns.joined(separator: ", ")) FROM released
          WHERE uid = $1 AND id = $2 AND email_key = $3 AND (released_at >= \(oldest(now, "$4"))) IS TRUE AND number < $5::bigint
          ORDER BY number DESC LIMIT $6::bigint
          """,
          ["\(request.uid)", .text(request.id), .text(key.value), .init(now), "\(before)", "\(limit)"])
      }, key: { $0.integer(0) }, { (row) throws(ServerFailure) in try read(row) })
  }

  private static func read(_ row: Row) throws(ServerFailure) -> ReleasedRegistration {
    try row.read(.released, ReleasedRegistration.columns.count) { (columns) throws(DamagedRow) in
      try ReleasedRegistration(columns)
    }
  }

  static func forget(_ connection: Connection, _ key: EmailKey) {
    connection.runLater("DELETE FROM released WHERE email_key = $1", [.text(key.value)])
  }

  private static func oldest(_ now: Clocks, _ parameter: String) -> String {
    now.earlier(parameter, by: ReleasedRegistration.lifetime)
  }
}
