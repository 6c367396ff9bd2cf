/// The columns of one row as texts, whichever database they come from. Reads values from them. For an impossible value, throws
/// a `DamagedRow` that names the row and the column.
package struct StoredColumns {
  private let table: DamagedRow.Table
  /// Nil for NULL.
  private let texts: [String?]
  private let readOrigin: (String) -> Origin?

  /// - Parameters:
  ///   - texts: The first identifies the row in its table.
  ///   - readOrigin: Reads an origin from the text that the database gives.
  package init(
    _ table: DamagedRow.Table, _ texts: [String?], readOrigin: @escaping (String) -> Origin? = { Origin($0) }
  ) {
    (self.table, self.texts, self.readOrigin) = (table, texts, readOrigin)
  }

  /// For joined rows: the row of the other table, which begins after `count` columns. Index 0 keeps the first column of
  /// the whole row as the id. The other table's columns begin at index 1.
  package func dropFirst(_ count: Int, as table: DamagedRow.Table) -> StoredColumns {
    StoredColumns(table, [texts[0]] + texts.dropFirst(count), readOrigin: readOrigin)
  }

  subscript(index: Int) -> String? { texts[index] }

  func value<Value>(_ index: Int, _ column: String, _ read: (String) -> Value?) throws(DamagedRow) -> Value {
    let text = texts[index] ?? ""
    guard let value = read(text) else { throw DamagedRow(table, texts[0] ?? "", column, text) }
    return value
  }

  /// Reads a column as `value` does. Returns nil for NULL.
  func optional<Value>(_ index: Int, _ column: String, _ read: (String) -> Value?) throws(DamagedRow) -> Value? {
    texts[index] == nil ? nil : try value(index, column, read)
  }

  /// Reads an id. Throws if its spelling is not canonical, because no look-up would find it.
  func id<ID: CustomStringConvertible>(
    _ index: Int, _ column: String, _ read: (String) -> ID?
  ) throws(DamagedRow) -> ID {
    try value(index, column) { text in read(text).flatMap { $0.description == text ? $0 : nil } }
  }

  func time(_ index: Int, _ column: String) throws(DamagedRow) -> Timestamp {
    try value(index, column) { Timestamp(rfc3339: $0) }
  }

  func count(_ index: Int, _ column: String) throws(DamagedRow) -> Int {
    try value(index, column) { text in Int(text).flatMap { $0 >= 0 ? $0 : nil } }
  }

  /// Whether the column is 1. NULL counts as false.
  func flag(_ index: Int) -> Bool { texts[index] == "1" }

  /// The bound that admitted a mail, as `MailBounds.Part.stored` writes it.
  func part(_ index: Int) -> MailBounds.Part? {
    isHidden(index) ? .own : texts[index].flatMap { Int($0) }.flatMap { MailBounds.Part(rawValue: $0 - 1) }
  }

  /// Whether the column of `part` marks the claim as hidden.
  func isHidden(_ index: Int) -> Bool { texts[index] == MailBounds.Part?.hidden }

  func origin(_ index: Int, _ column: String = "origin") throws(DamagedRow) -> Origin? {
    try optional(index, column, readOrigin)
  }

  /// Reads a uid from this column, an origin and a language from the next ones. Returns nil if the uid is NULL.
  func registrant(_ index: Int) throws(DamagedRow) -> Registrant? {
    guard let uid = try optional(index, "registrant_uid", { UInt32($0) }) else { return nil }
    return Registrant(uid: uid, origin: try origin(index + 1, "registrant_origin"), language: texts[index + 2])
  }

  /// Reads a version from this column and its time from the next one. Returns nil if the version is NULL.
  func terms(_ index: Int) throws(DamagedRow) -> AcceptedTerms? {
    guard let version = texts[index] else { return nil }
    return AcceptedTerms(version: version, acceptedAt: try time(index + 1, "terms_at"))
  }

  /// Reads a list of groups. NULL means no groups.
  func groups(_ index: Int) throws(DamagedRow) -> Groups {
    try optional(index, "group_names") { Groups(stored: $0) } ?? .none
  }

  func displayName(_ index: Int) -> DisplayName? { texts[index].map { DisplayName(stored: $0) } }

  func email(_ index: Int) -> EmailAddress {
    EmailAddress(stored: texts[index] ?? "", key: EmailKey(texts[index + 1] ?? ""))
  }
}

extension DamagedRow: Error {}

extension MailBounds.Part? {
  /// The column's value: 0 if no bound admitted the mail, else 1 for the address's and 2 for the share's own.
  package var stored: String { map { "\($0.rawValue + 1)" } ?? "0" }

  /// The column's value for `own` if the claim is hidden. Earlier versions read it as 0: the claim then has no code.
  package static var hidden: String { "3" }
}

// Each record's columns are listed here in the order of the indexes by which its values are read.

extension StoredAccount {
  package static let columns = [
    "id", "email", "email_key", "password_hash", "state", "created_at", "updated_at", "confirmed_at",
    "terms_version", "terms_at", "epoch", "proven", "registrant_uid", "registrant_origin", "registrant_language",
    "group_names", "display_name",
  ]

  package init(_ row: StoredColumns) throws(DamagedRow) {
    let account = Account(
      id: try row.id(0, "id") { AccountID($0) }, email: row.email(1),
      state: try row.value(4, "state", Account.State.init), createdAt: try row.time(5, "created_at"),
      updatedAt: try row.time(6, "updated_at"), terms: try row.terms(8), epoch: SessionEpoch(stored: row[10]),
      isProven: row[11] == nil ? nil : row.flag(11), groups: try row.groups(15), displayName: row.displayName(16))
    self.init(
      account: account, passwordHash: PasswordHash(phc: row[3] ?? ""),
      confirmedAt: row[7] == nil ? nil : try row.time(7, "confirmed_at"), registrant: try row.registrant(12))
  }
}

extension Delivery {
  package static let columns = ["attempts", "failure", "next_at"]

  /// - Returns: The recorded progress, or nil if no progress is recorded, which means that `next_at` is NULL.
  package static func read(_ row: StoredColumns) throws(DamagedRow) -> Delivery? {
    guard row[3] != nil else { return nil }
    return Delivery(
      attempts: try row.count(1, "attempts"),
      failure: try row.optional(2, "failure") { NetworkFailure(stored: $0) }, next: try row.time(3, "next_at"))
  }
}

extension PendingAccount {
  /// Reads a row that has the account's columns, the delivery's columns, whether another regd has the claim, and the
  /// uid and origin of the share that reserved the account.
  ///
  /// - Parameter damaged: Called if only the delivery is unreadable. regd then delivers the registration as if no
  ///   outcome were recorded.
  package init(_ row: StoredColumns, damaged: (DamagedRow) -> Void) throws(DamagedRow) {
    let stored = try StoredAccount(row)
    // the account's id, which also identifies the delivery, and then the columns after the account's
    let noted = row.dropFirst(StoredAccount.columns.count, as: .delivery)
    var delivery: Delivery?
    do throws(DamagedRow) { delivery = try Delivery.read(noted) } catch { damaged(error) }
    let uid = noted[5].flatMap { UInt32($0) }
    let origin = try? noted.origin(6)
    self.init(
      stored, delivery: delivery, isClaimedElsewhere: noted.flag(4),
      share: uid.map { Share(uid: $0, origin: origin) } ?? .daemon)
  }
}

extension AddressClaim {
  package static let columns = [
    "id", "kind", "state", "email", "email_key", "account_id", "password_hash", "uid", "origin", "request_id",
    "language",
    "digits", "generation", "code_until", "attempts", "resend_at", "created_at", "expires_at", "mailed",
    "terms_version", "terms_at", "epoch", "invitation_id", "concealed", "display_name",
  ]

  package init(_ row: StoredColumns) throws(DamagedRow) {
    let uid = try row.value(7, "uid") { UInt32($0) }
    self.init(
      id: try row.value(0, "id", ClaimID.init), kind: try row.value(1, "kind", Kind.init), email: row.email(3),
      account: try row.value(5, "account_id") { AccountID($0) }, passwordHash: row[6].map { PasswordHash(phc: $0) },
      uid: uid, origin: try row.origin(8), request: try row.optional(9, "request_id") { RequestKey(uid: uid, id: $0) },
      language: row[10], createdAt: try row.time(16, "created_at"), expiresAt: try row.time(17, "expires_at"),
      digits: try row.count(11, "digits"), state: try row.value(2, "state", State.init),
      generation: try row.count(12, "generation"), codeUntil: try row.time(13, "code_until"),
      attempts: try row.count(14, "attempts"), resendAt: try row.time(15, "resend_at"), mailed: row.part(18),
      terms: try row.terms(19), epoch: SessionEpoch(stored: row[21]),
      invitation: try row.optional(22, "invitation_id") { InvitationID($0) }, isConcealed: row.flag(23),
      displayName: row.displayName(24))
    isHidden = row.isHidden(18)
  }
}

extension StoredMail {
  package static let columns = [
    "id", "kind", "state", "email", "email_key", "claim_id", "account_id", "language", "uid", "origin", "created_at",
    "attempts", "reason", "next_at", "wanted", "known", "invitation_id",
  ]

  /// Reads the mail's columns, and whether another regd has a lease.
  package init(_ row: StoredColumns) throws(DamagedRow) {
    let intent = MailIntent(
      id: try row.id(0, "id") { MailID($0) }, kind: try row.value(1, "kind", MailKind.init), to: row.email(3),
      claim: try row.optional(5, "claim_id", ClaimID.init),
      account: try row.optional(6, "account_id") { AccountID($0) },
      invitation: try row.optional(16, "invitation_id") { InvitationID($0) }, language: row[7],
      uid: try row.value(8, "uid") { UInt32($0) }, origin: try row.origin(9),
      createdAt: try row.time(10, "created_at"), isWanted: row.flag(14), isKnown: row.flag(15))
    self.init(
      intent, state: try row.value(2, "state", State.init), attempts: try row.count(11, "attempts"), reason: row[12],
      next: row[13] == nil ? nil : try row.time(13, "next_at"), isClaimedElsewhere: row.flag(17))
  }
}

extension AuditEntry {
  package static let columns = [
    "number", "at", "change", "account_id", "email", "uid", "pid", "origin", "regd", "invitation_id", "terms",
    "door", "group_change",
  ]

  /// - Parameter seal: The entry's seal, which is not among the columns.
  package init(_ row: StoredColumns, _ seal: AuditSeal?) throws(DamagedRow) {
    var by: Requester?
    if row[5] != nil {
      by = Requester(
        uid: try row.value(5, "uid") { UInt32($0) }, pid: try row.value(6, "pid") { Int32($0) },
        origin: try row.origin(7), door: row[11])
    }
    self.init(
      number: try row.value(0, "number") { Int($0) }, change: try row.value(2, "change", Change.init),
      account: try row.optional(3, "account_id") { AccountID($0) }, email: row[4],
      stamp: Stamp(try row.time(1, "at"), by: by), regd: row[8],
      invitation: try row.optional(9, "invitation_id") { InvitationID($0) }, terms: row[10],
      groups: try row.optional(12, "group_change") { GroupChange(stored: $0) }, seal: seal)
  }
}

extension AuditSeal {
  /// - Parameters: The columns of an entry's row of `audit_address`, of which at most one has a value.
  package init?(salt: [UInt8]?, commitment: [UInt8]?) {
    if let salt { self = .salt(salt) } else if let commitment { self = .commitment(commitment) } else { return nil }
  }
}

extension ReleasedRegistration {
  package static let columns = ["number", "account_id", "email", "email_key", "password_hash"]

  package init(_ row: StoredColumns) throws(DamagedRow) {
    self.init(
      id: try row.value(1, "account_id") { AccountID($0) }, email: row.email(2),
      passwordHash: PasswordHash(phc: row[4] ?? ""))
  }
}

extension Invitation {
  package static let columns = [
    "id", "digest", "email", "email_key", "domain", "uses", "created_at", "expires_at", "revoked_at", "note", "uid",
    "mailed", "group_names",
  ]

  package init(_ row: StoredColumns) throws(DamagedRow) {
    self.init(
      id: try row.id(0, "id") { InvitationID($0) }, digest: try row.value(1, "digest") { InvitationDigest($0) },
      email: row[2] == nil ? nil : row.email(2), domain: row[4], uses: try row.count(5, "uses"),
      createdAt: try row.time(6, "created_at"), expiresAt: try row.time(7, "expires_at"),
      revokedAt: row[8] == nil ? nil : try row.time(8, "revoked_at"), note: row[9],
      by: try row.value(10, "uid") { UInt32($0) }, isMailed: row.flag(11), groups: try row.groups(12))
  }
}

extension CountedInvitation {
  /// Reads the invitation's columns, and then the numbers of used and of held uses.
  package init(_ row: StoredColumns) throws(DamagedRow) {
    let count = Invitation.columns.count
    self.init(
      try Invitation(row), used: try row.count(count, "used"), held: try row.count(count + 1, "held"))
  }
}
