internal import Registration

/// Reads and writes the rows of invitations.
enum InvitationRow {
  private static let columns = TimeColumn.list(Invitation.columns, of: "invitation")

  static func look(_ digest: InvitationDigest) -> Statement {
    Statement("SELECT \(columns) FROM invitation WHERE digest = $1", [.text(digest.text)])
  }

  static func look(_ id: InvitationID) -> Statement {
    Statement("SELECT \(columns) FROM invitation WHERE id = $1", [.text(id.description)])
  }

  static func find(_ connection: Connection, _ look: Statement) throws(ServerFailure) -> Invitation? {
    try connection.answer(look).first?.read(.invitation, Invitation.columns.count) { (columns) throws(DamagedRow) in
      try Invitation(columns)
    }
  }

  /// Selects invitations, each with two counts: the uses that accounts have, and the uses that claims hold at the time `$2`.
  private static let counted = """
    SELECT \(columns),
      (SELECT count(*) FROM invitation_use WHERE invitation_id = invitation.id AND account_id IS NOT NULL),
      (SELECT count(*) FROM invitation_use JOIN claim ON claim.id = claim_id
        WHERE invitation_id = invitation.id AND invitation_use.account_id IS NULL AND \(UseRow.holds("$2")))
    FROM invitation WHERE invitation.id
    """

  static func counting(_ id: InvitationID, _ now: Timestamp) -> Statement {
    Statement("\(counted) = $1", [.text(id.description), .init(now)])
  }

  static func page(_ after: String, _ limit: Int, _ now: Timestamp) -> Statement {
    Statement("\(counted) > $1 ORDER BY invitation.id LIMIT $3::bigint", [.text(after), .init(now), "\(limit)"])
  }

  static func count(
    _ connection: Connection, _ id: InvitationID, _ now: Timestamp
  ) throws(ServerFailure) -> CountedInvitation? {
    guard let row = try connection.answer(counting(id, now)).first else { return nil }
    return try read(row)
  }

  /// Returns the readable invitations; reports the others to the damage log.
  static func list(
    _ connection: Connection, after: InvitationID?, limit: Int, _ now: Timestamp
  ) throws(ServerFailure) -> [CountedInvitation] {
    try connection.readable(
      behind: after?.description ?? AccountRow.beforeAll, limit: limit,
      { page($0, $1, now) }, key: { $0.text(0) }, { (row) throws(ServerFailure) in try read(row) })
  }

  private static func read(_ row: Row) throws(ServerFailure) -> CountedInvitation {
    try row.read(.invitation, Invitation.columns.count + 2) { (columns) throws(DamagedRow) in
      try CountedInvitation(columns)
    }
  }

  /// SQL for the time when an invitation was used up: the latest of the times of its accounts' first audit entries. NULL
  /// while uses are left, or while a registration may still be released, which gives the use back.
  static let usedUp = """
    (SELECT CASE WHEN count(*) = invitation.uses THEN max(used.at) END FROM (
      SELECT (SELECT min(audit.at) FROM audit WHERE audit.account_id = invitation_use.account_id) AS at
      FROM invitation_use WHERE invitation_use.invitation_id = invitation.id AND invitation_use.account_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM account
          WHERE account.id = invitation_use.account_id AND state IN ('pending', 'waiting'))) AS used)
    """

  // MARK: - Changes

  static func insertion(_ invitation: Invitation) -> Statement {
    Statement(
      """
      INSERT INTO invitation (id, digest, email, email_key, domain, uses, created_at, expires_at, revoked_at, note, uid, mailed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      """,
      [
        .text(invitation.id.description), .text(invitation.digest.text), .init(invitation.email?.typed),
        .init(invitation.email?.key.value), .init(invitation.domain), "\(invitation.uses)",
        .init(invitation.createdAt), .init(invitation.expiresAt), .init(invitation.revokedAt?.rfc3339),
        .init(invitation.note), "\(invitation.by)", invitation.isMailed ? "1" : "0",
      ])
  }

  /// Revokes an invitation. Must follow the exclusive lock of the invitation.
  static func revocation(_ id: InvitationID, _ time: Timestamp) -> Statement {
    Statement(
      "UPDATE invitation SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL",
      [.text(id.description), .init(time)])
  }

  /// Finds the invitation unless it is revoked. Must follow the invitation's lock.
  static func isOpen(_ id: InvitationID) -> Statement {
    Statement("SELECT 1 FROM invitation WHERE id = $1 AND revoked_at IS NULL", [.text(id.description)])
  }

  /// Erases the address and the note of the invitation that made an account, because the account is being deleted. The note
  /// of an invitation with several uses stays until it is used up, revoked or expired, because it is about others, too.
  static func forgetting(_ id: AccountID) -> Statement {
    Statement(
      """
      UPDATE invitation SET email = NULL, email_key = NULL, note = NULL
      WHERE id IN (SELECT invitation_id FROM invitation_use WHERE account_id = $1) AND uses = 1
        AND (email IS NOT NULL OR note IS NOT NULL)
      """, [.text(id.description)])
  }
}
