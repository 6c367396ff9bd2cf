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
  private static func counted(_ now: Clocks) -> String {
    """
    SELECT \(columns),
      (SELECT count(*) FROM invitation_use WHERE invitation_id = invitation.id AND account_id IS NOT NULL),
      (SELECT count(*) FROM invitation_use
        WHERE invitation_id = invitation.id AND account_id IS NULL AND held_until > \(now.earlier("$2")))
    FROM invitation WHERE invitation.id
    """
  }

  static func counting(_ id: InvitationID, _ now: Clocks) -> Statement {
    Statement("\(counted(now)) = $1", [.text(id.description), .init(now)])
  }

  static func page(_ after: String, _ limit: Int, _ now: Clocks) -> Statement {
    Statement("\(counted(now)) > $1 ORDER BY invitation.id LIMIT $3::bigint", [.text(after), .init(now), "\(limit)"])
  }

  static func count(
    _ connection: Connection, _ id: InvitationID, _ now: Clocks
  ) throws(ServerFailure) -> CountedInvitation? {
    guard let row = try connection.answer(counting(id, now)).first else { return nil }
    return try read(row)
  }

  /// Returns the readable invitations. Reports the others to the damage log.
  static func list(
    _ connection: Connection, after: InvitationID?, limit: Int, _ now: Clocks
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

  /// An SQL condition: accounts have all uses of the invitation. Counts them only if the highest number was given.
  private static let isUsedUp = """
    (SELECT max(slot) FROM invitation_use WHERE invitation_id = invitation.id) >= uses AND (SELECT count(*)
      FROM invitation_use WHERE invitation_id = invitation.id AND account_id IS NOT NULL) >= uses
    """

  /// An SQL condition: the address and the note of the invitation are to be erased (`SweptRecord.invitation`), because
  /// it ended before `end`.
  static func isOver(by end: String) -> String {
    """
    (email IS NOT NULL OR note IS NOT NULL) AND least(revoked_at, expires_at, used_at) < \(end)
      AND (least(revoked_at, expires_at) < \(end) OR \(isUsedUp) AND (SELECT account.id FROM invitation_use
        JOIN account ON account.id = invitation_use.account_id AND account.state IN ('pending', 'waiting')
        WHERE invitation_use.invitation_id = invitation.id LIMIT 1) IS NULL)
    """
  }

  // MARK: - Changes

  static func insertion(_ invitation: Invitation) -> Statement {
    Statement(
      """
      INSERT INTO invitation (id, digest, email, email_key, domain, uses, created_at, expires_at, revoked_at, note, uid, mailed,
        group_names)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """,
      [
        .text(invitation.id.description), .text(invitation.digest.text), .init(invitation.email?.typed),
        .init(invitation.email?.key.value), .init(invitation.domain), "\(invitation.uses)",
        .init(invitation.createdAt), .init(invitation.expiresAt), .init(invitation.revokedAt?.rfc3339),
        .init(invitation.note), "\(invitation.by)", invitation.isMailed ? "1" : "0",
        .init(invitation.groups.stored),
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

  /// While an invitation has more than this many uses left, `used_at` is not written.
  private static let few = 128

  /// Notes when one of the last uses of an invitation was used. The sweep finds out whether it was the very last one.
  ///
  /// The takers of several uses must not wait for one another. So this skips an invitation that another taker is
  /// writing just now. That taker notes the same time, or fails and leaves a use to a later taker. If more takers than
  /// `few` commit at once, it may happen that none of them notes a time. The note of the invitation then remains until
  /// the invitation expires.
  static func using(by id: AccountID, at time: Timestamp) -> Statement {
    Statement(
      """
      UPDATE invitation SET used_at = $2::timestamptz WHERE id = ANY (ARRAY(
        SELECT id FROM invitation
        WHERE id = ANY (ARRAY(SELECT invitation_id FROM invitation_use WHERE account_id = $1)) AND (uses = 1 OR
          (SELECT max(slot) FROM invitation_use WHERE invitation_id = invitation.id) > uses - \(few)
            AND (SELECT count(*) FROM (SELECT 1 FROM invitation_use
              WHERE invitation_id = invitation.id AND account_id IS NULL LIMIT \(few)) AS free) < \(few))
        FOR NO KEY UPDATE SKIP LOCKED))
      """, [.text(id.description), .init(time)])
  }

  /// Must precede `UseRow.givingBack`.
  static func givingBack(_ id: AccountID) -> Statement {
    Statement(
      """
      UPDATE invitation SET used_at = NULL
      WHERE used_at IS NOT NULL AND id = ANY (ARRAY(SELECT invitation_id FROM invitation_use WHERE account_id = $1))
      """, [.text(id.description)])
  }

  /// Erases the address and the note of the invitation by which an account was made, because the account is being
  /// deleted.
  static func forgetting(_ id: AccountID) -> Statement {
    Statement(
      """
      UPDATE invitation SET email = NULL, email_key = NULL, note = NULL
      WHERE id = ANY (ARRAY(SELECT invitation_id FROM invitation_use WHERE account_id = $1)) AND uses = 1
        AND (email IS NOT NULL OR note IS NOT NULL)
      """, [.text(id.description)])
  }
}
