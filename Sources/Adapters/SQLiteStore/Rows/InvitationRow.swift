internal import Registration

/// Reads and writes the rows of invitations.
enum InvitationRow {
  private static let columns = Invitation.columns.joined(separator: ", ")

  /// The columns by which one invitation can be found.
  enum Column: String {
    case id, digest
  }

  static func insert(_ connection: Connection, _ invitation: Invitation) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO invitation (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
      [
        invitation.id.description, invitation.digest.text, invitation.email?.typed, invitation.email?.key.value,
        invitation.domain, "\(invitation.uses)", invitation.createdAt.rfc3339, invitation.expiresAt.rfc3339,
        invitation.revokedAt?.rfc3339, invitation.note, "\(invitation.by)", invitation.isMailed ? "1" : "0",
      ])
  }

  static func find(
    _ connection: Connection, by column: Column, _ value: String
  ) throws(SQLiteFailure) -> Invitation? {
    try connection.query("SELECT \(columns) FROM invitation WHERE \(column.rawValue) = ?1", [value]) {
      (row) throws(SQLiteFailure) in
      try row.read(.invitation, Invitation.columns.count) { (columns) throws(DamagedRow) in try Invitation(columns) }
    }.first
  }

  /// Selects invitations, each with two counts: the uses that accounts have, and the uses that claims hold at the time ?2.
  private static let counting = """
    SELECT \(columns),
      (SELECT count(*) FROM invitation_use WHERE invitation_id = invitation.id AND account_id IS NOT NULL),
      (SELECT count(*) FROM invitation_use
        WHERE invitation_id = invitation.id AND account_id IS NULL AND \(InvitationUseRow.isHeld("?2")))
    FROM invitation WHERE id
    """

  /// Returns the readable rows, and reports the others to the connection's damage log.
  static func list(
    _ connection: Connection, after: InvitationID?, limit: Int, at now: Timestamp
  ) throws(SQLiteFailure) -> [CountedInvitation] {
    try connection.readable(
      "\(counting) > ?1 ORDER BY id", [after?.description ?? "", now.rfc3339], limit: limit, readCounted)
  }

  static func counted(
    _ connection: Connection, _ id: InvitationID, at now: Timestamp
  ) throws(SQLiteFailure) -> CountedInvitation? {
    try connection.query("\(counting) = ?1", [id.description, now.rfc3339], readCounted).first
  }

  private static func readCounted(_ row: borrowing Row) throws(SQLiteFailure) -> CountedInvitation {
    try row.read(.invitation, Invitation.columns.count + 2) { (columns) throws(DamagedRow) in
      try CountedInvitation(columns)
    }
  }

  /// - Returns: Whether the invitation was not revoked before.
  static func revoke(_ connection: Connection, _ id: InvitationID, at time: Timestamp) throws(SQLiteFailure) -> Bool {
    try connection.run(
      "UPDATE invitation SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL", [id.description, time.rfc3339])
    return connection.changes == 1
  }

  /// Erases the address and the note of the invitation that made an account, because the account is being deleted. The note
  /// of an invitation with several uses stays until it is used up, revoked or expired, because it is about others, too.
  static func forgetAddress(_ connection: Connection, of account: AccountID) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE invitation SET email = NULL, email_key = NULL, note = NULL
      WHERE uses = 1 AND (email IS NOT NULL OR note IS NOT NULL)
        AND id IN (SELECT invitation_id FROM invitation_use WHERE account_id = ?1)
      """, [account.description])
  }

  /// The most invitations that one sweep looks at. The next sweep continues with those after them.
  static let mostSwept = 10_000

  /// Whether the invitation was used up, revoked or expired before ?1. The time of an account's first audit entry tells when a
  /// use was used. The address stays while a registration may still be released, because a release gives the use back.
  private static let isOver = """
    (expires_at < ?1 OR revoked_at < ?1 OR uses = (SELECT count(*) FROM invitation_use AS used
      WHERE used.invitation_id = invitation.id AND used.account_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM account WHERE id = used.account_id AND state IN ('pending', 'waiting'))
        AND (SELECT at FROM audit WHERE audit.account_id = used.account_id ORDER BY number LIMIT 1) < ?1))
    """

  /// Finds invitations whose address and note are to be erased, among the next `mostSwept` after `start`.
  ///
  /// - Returns: At most `limit` of them, and the last invitation that was looked at; nil if none comes after it.
  static func erasable(
    _ connection: Connection, before time: Timestamp, after start: InvitationID?, limit: Int
  ) throws(SQLiteFailure) -> (ids: [InvitationID], last: InvitationID?) {
    let beginning = start?.description ?? ""
    let end = try connection.query(
      "SELECT id FROM invitation WHERE id > ?1 ORDER BY id LIMIT 1 OFFSET \(mostSwept - 1)", [beginning]
    ) { (row) throws(SQLiteFailure) in row.text(0) }.first
    let ids = try connection.query(
      """
      SELECT id FROM invitation WHERE id > ?2 AND id <= ifnull(?3, 'g')
        AND (email IS NOT NULL OR note IS NOT NULL) AND \(isOver) ORDER BY id LIMIT CAST(?4 AS INTEGER)
      """, [time.rfc3339, beginning, end, "\(limit)"]
    ) { (row) throws(SQLiteFailure) in row.text(0) }.compactMap { InvitationID($0) }
    return (ids, ids.count < limit ? end.flatMap { InvitationID($0) } : ids.last)
  }

  /// Erases the address and the note of an invitation, if it is over now as well.
  static func erase(
    _ connection: Connection, _ id: InvitationID, before time: Timestamp
  ) throws(SQLiteFailure) {
    try connection.run(
      "UPDATE invitation SET email = NULL, email_key = NULL, note = NULL WHERE id = ?2 AND \(isOver)",
      [time.rfc3339, id.description])
  }
}
