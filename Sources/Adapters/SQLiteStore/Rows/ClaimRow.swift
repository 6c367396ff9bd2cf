internal import Registration

/// A claim of an address as a row, and back. One that has expired is there until it is swept, and is found by nothing.
enum ClaimRow {
  private static let columns = """
    id, kind, state, email, email_key, account_id, password_hash, uid, origin, request_id, language, digits, generation,
    code_until, attempts, resend_at, created_at, expires_at, mailed
    """

  static func find(_ connection: Connection, _ id: ClaimID, at now: Timestamp) throws(SQLiteFailure) -> AddressClaim? {
    try connection.query(
      "SELECT \(columns) FROM claim WHERE id = ?1 AND expires_at > ?2", [id.description, now.rfc3339], read
    ).first
  }

  static func find(
    _ connection: Connection, of request: RequestKey, at now: Timestamp
  ) throws(SQLiteFailure) -> AddressClaim? {
    try connection.query(
      "SELECT \(columns) FROM claim WHERE uid = ?1 AND request_id = ?2 AND expires_at > ?3",
      ["\(request.uid)", request.id, now.rfc3339], read
    ).first
  }

  /// The rows that can be read; the others are reported to the connection's damage log.
  static func list(
    _ connection: Connection, after: ClaimID?, limit: Int, at now: Timestamp
  ) throws(SQLiteFailure) -> [AddressClaim] {
    try connection.readable(
      "SELECT \(columns) FROM claim WHERE id > ?1 AND expires_at > ?2 ORDER BY id",
      [after?.description ?? "", now.rfc3339], limit: limit, read)
  }

  static func insert(_ connection: Connection, _ claim: AddressClaim, at now: Timestamp) throws(SQLiteFailure) {
    // the name of a request is free again when its claim has expired
    try connection.run(
      "DELETE FROM claim WHERE uid = ?1 AND request_id = ?2 AND expires_at <= ?3",
      ["\(claim.uid)", claim.request?.id, now.rfc3339])
    try connection.run(
      """
      INSERT INTO claim (\(columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
      """,
      [
        claim.id.description, claim.kind.rawValue, claim.state.rawValue, claim.email.typed, claim.email.key.value,
        claim.account.description, claim.passwordHash?.phc, "\(claim.uid)", claim.origin?.text, claim.request?.id,
        claim.language, "\(claim.digits)", "\(claim.generation)", claim.codeUntil.rfc3339, "\(claim.attempts)",
        claim.resendAt.rfc3339, claim.createdAt.rfc3339, claim.expiresAt.rfc3339,
        claim.isMailed ? "1" : "0",
      ])
  }

  static func exists(_ connection: Connection, _ id: ClaimID) throws(SQLiteFailure) -> Bool {
    try connection.integer("SELECT EXISTS (SELECT 1 FROM claim WHERE id = ?1)", [id.description]) != 0
  }

  static func remove(_ connection: Connection, _ id: ClaimID) throws(SQLiteFailure) {
    try connection.run("DELETE FROM claim WHERE id = ?1", [id.description])
  }

  static func setState(_ connection: Connection, _ id: ClaimID, _ state: AddressClaim.State) throws(SQLiteFailure) {
    try connection.run("UPDATE claim SET state = ?2 WHERE id = ?1", [id.description, state.rawValue])
  }

  static func setAttempts(_ connection: Connection, _ id: ClaimID, _ attempts: Int) throws(SQLiteFailure) {
    try connection.run("UPDATE claim SET attempts = ?2 WHERE id = ?1", [id.description, "\(attempts)"])
  }

  static func renew(
    _ connection: Connection, _ claim: AddressClaim, isMailed: Bool
  ) throws(SQLiteFailure) {
    try connection.run(
      "UPDATE claim SET generation = ?2, code_until = ?3, resend_at = ?4, digits = ?5, mailed = ?6 WHERE id = ?1",
      [
        claim.id.description, "\(claim.generation)", claim.codeUntil.rfc3339, claim.resendAt.rfc3339,
        "\(claim.digits)", isMailed ? "1" : "0",
      ])
  }

  private static func read(_ row: borrowing Row) throws(SQLiteFailure) -> AddressClaim {
    let row = ClaimColumns(row)
    return AddressClaim(
      id: try row.value(0, "id", ClaimID.init), kind: try row.value(1, "kind", AddressClaim.Kind.init),
      email: EmailAddress(stored: row[3] ?? "", key: EmailKey(row[4] ?? "")),
      account: try row.value(5, "account_id", { AccountID($0) }), passwordHash: row[6].map { PasswordHash(phc: $0) },
      uid: try row.uid, origin: try row.origin, request: try row.request, language: row[10],
      createdAt: try row.time(16, "created_at"), expiresAt: try row.time(17, "expires_at"),
      digits: try row.count(11, "digits"), state: try row.value(2, "state", AddressClaim.State.init),
      generation: try row.count(12, "generation"), codeUntil: try row.time(13, "code_until"),
      attempts: try row.count(14, "attempts"), resendAt: try row.time(15, "resend_at"), isMailed: row[18] == "1")
  }
}

/// A claim's columns as texts; nil for NULL.
private struct ClaimColumns {
  private let texts: [String?]

  init(_ row: borrowing Row) {
    var texts: [String?] = []
    for column in 0..<Int32(19) { texts.append(row.isNull(column) ? nil : row.text(column)) }
    self.texts = texts
  }

  subscript(index: Int) -> String? { texts[index] }

  func value<Value>(_ index: Int, _ column: String, _ read: (String) -> Value?) throws(SQLiteFailure) -> Value {
    let text = texts[index] ?? ""
    guard let value = read(text) else {
      throw .damaged(row: DamagedRow(.claim, texts[0] ?? "", column, text))
    }
    return value
  }

  func time(_ index: Int, _ column: String) throws(SQLiteFailure) -> Timestamp {
    try value(index, column) { Timestamp(rfc3339: $0) }
  }

  func count(_ index: Int, _ column: String) throws(SQLiteFailure) -> Int {
    try value(index, column) { text in Int(text).flatMap { $0 >= 0 ? $0 : nil } }
  }

  var uid: UInt32 { get throws(SQLiteFailure) { try value(7, "uid") { UInt32($0) } } }

  var origin: Origin? {
    get throws(SQLiteFailure) { texts[8] == nil ? nil : try value(8, "origin") { Origin($0) } }
  }

  var request: RequestKey? {
    get throws(SQLiteFailure) {
      guard texts[9] != nil else { return nil }
      let uid = try uid
      return try value(9, "request_id") { RequestKey(uid: uid, id: $0) }
    }
  }
}
