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
      "INSERT INTO invitation (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
      [
        invitation.id.description, invitation.digest.text, invitation.email?.typed, invitation.email?.key.value,
        invitation.domain, "\(invitation.uses)", invitation.createdAt.rfc3339, invitation.expiresAt.rfc3339,
        invitation.revokedAt?.rfc3339, invitation.note, "\(invitation.by)", invitation.isMailed ? "1" : "0",
        invitation.groups.stored,
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
        WHERE invitation_id = invitation.id AND account_id IS NULL AND held_until > ?2)
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

  /// An SQL condition: accounts have all uses of the invitation. Reads two rows, however many uses there are: all numbers
  /// up to the highest have rows (`InvitationUseRow`).
  private static let isUsedUp = """
    (SELECT max(slot) FROM invitation_use WHERE invitation_id = invitation.id) >= uses
      AND NOT EXISTS (SELECT 1 FROM invitation_use WHERE invitation_id = invitation.id AND account_id IS NULL)
    """

  /// Notes when the last use of an invitation was used. Nil means that a use was given back.
  static func setUsed(
    _ connection: Connection, by account: AccountID, at time: Timestamp?
  ) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE invitation SET used_at = ?2
      WHERE id IN (SELECT invitation_id FROM invitation_use WHERE account_id = ?1) AND (?2 IS NULL OR \(isUsedUp))
      """, [account.description, time?.rfc3339])
  }

  /// Erases the address and the note of the invitation by which an account was made, because the account is being
  /// deleted.
  static func forget(_ connection: Connection, _ account: AccountID) throws(SQLiteFailure) {
    try connection.run(
      """
      UPDATE invitation SET email = NULL, email_key = NULL, note = NULL
      WHERE uses = 1 AND id IN (SELECT invitation_id FROM invitation_use WHERE account_id = ?1)
      """, [account.description])
  }

  /// Selects the ids of at most ?2 invitations of which a sweep erases the addresses and notes (`SweptRecord.invitation`),
  /// because they ended before ?1.
  ///
  /// Begins with the invitations that have ended, because there may be very many others. After a move from PostgreSQL,
  /// `used_at` alone is not enough, because there it is the time of one of the last uses.
  static let ended = """
    SELECT id FROM invitation INDEXED BY invitation_ended
    WHERE min(expires_at, ifnull(revoked_at, expires_at), ifnull(used_at, expires_at)) < ?1
      AND (email IS NOT NULL OR note IS NOT NULL)
      AND (expires_at < ?1 OR revoked_at < ?1 OR \(isUsedUp) AND NOT EXISTS (
        SELECT 1 FROM invitation_use JOIN account ON account.id = account_id
        WHERE invitation_id = invitation.id AND account.state IN ('pending', 'waiting')))
    LIMIT CAST(?2 AS INTEGER)
    """
}
