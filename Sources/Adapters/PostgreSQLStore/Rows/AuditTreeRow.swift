internal import Registration

/// Reads the audit's tree, which is in columns of the audit's entries. `AuditSequencer` writes it.
enum AuditTreeRow {
  static func size(_ connection: Connection) throws(ServerFailure) -> Int {
    let size = try connection.run("SELECT leaves FROM numbering").first?.integer(0) ?? 0
    guard AuditTail.sizes.contains(size) else {
      throw .unfit("numbering.leaves is \(size), so no entry gets a number: restore the table from a backup")
    }
    return size
  }

  static func leaf(_ connection: Connection, of number: Int) throws(ServerFailure) -> Int? {
    try connection.run("SELECT leaf FROM audit WHERE number = $1::bigint AND leaf IS NOT NULL", ["\(number)"]).first?
      .integer(0)
  }

  static func hashes(_ connection: Connection, of leaves: [Int]) throws(ServerFailure) -> AuditHashes {
    let rows = try connection.run(
      "SELECT leaf, hashes FROM audit WHERE leaf = ANY ($1::bigint[]) AND leaf IS NOT NULL",
      [.array(leaves.map { "\($0)" })])
    return AuditHashes(Dictionary(rows.map { ($0.integer(0), $0.bytes(1) ?? []) }) { first, _ in first })
  }

  /// When a head was last read. Nil if never.
  static func headAt(_ connection: Connection) throws(ServerFailure) -> Timestamp? {
    try connection.run("SELECT \(TimeColumn.text("audit_head_at")) FROM installation").first?.optional(0)
      .flatMap { Timestamp(rfc3339: $0) }
  }

  static func notingHead(at time: Timestamp) -> Statement {
    Statement("UPDATE installation SET audit_head_at = $1::timestamptz", [.init(time)])
  }

  // MARK: Filling

  /// Gives all readable entries seals and leaves, in the order of their numbers, and gives seals to the entries that wait for
  /// numbers. Only for a database without a tree.
  ///
  /// - Parameter doing: Called with the progress after each of many entries.
  static func fill(
    _ connection: Connection, _ cryptography: any AuditCryptography, doing: (_ what: String) -> Void
  ) throws(ServerFailure) {
    let all = try connection.run("SELECT count(*) FROM audit").first?.integer(0) ?? 0
    var frontier = AuditFrontier()
    // A plan for whole tables would read all addresses before a page for each page. The server does not count this cost.
    try SessionSettings.planningByIndex(connection) { () throws(ServerFailure) in
      var last = 0
      while true {
        let entries = try AuditRow.list(connection, after: last, limit: entriesAtOnce)
        guard let end = entries.last?.number else { break }
        try add(entries.map { $0.sealed() }, &frontier, connection, cryptography)
        last = end
        doing("adding the entries of its audit to a tree (\(frontier.size) of \(all))")
      }
    }
    try connection.run(
      "UPDATE numbering SET leaves = $1::bigint, peaks = $2::bytea", ["\(frontier.size)", .bytes(frontier.stored)])
    try sealWaiting(connection)
  }

  private static let entriesAtOnce = 1000

  private static func add(
    _ entries: [AuditEntry], _ frontier: inout AuditFrontier, _ connection: Connection,
    _ cryptography: any AuditCryptography
  ) throws(ServerFailure) {
    let first = frontier.size
    var hashes: [String] = []
    for entry in entries {
      hashes.append(
        Statement.Parameter.hexadecimal(
          frontier.append(cryptography.leafHash(entry.leaf(cryptography)), cryptography)))
    }
    let sealed = entries.filter { $0.seal?.salt != nil }
    try connection.run(
      """
      INSERT INTO audit_address (number, salt) SELECT * FROM unnest($1::bigint[], $2::bytea[])
      ON CONFLICT (number) DO UPDATE SET salt = excluded.salt
      """,
      [
        .array(sealed.map { "\($0.number)" }),
        .array(sealed.map { $0.seal?.salt.map(Statement.Parameter.hexadecimal) }),
      ])
    try connection.run(
      """
      UPDATE audit SET leaf = $1::bigint + place - 1, hashes = given.hashes
      FROM unnest($2::bigint[], $3::bytea[]) WITH ORDINALITY AS given (number, hashes, place)
      WHERE audit.number = given.number
      """, ["\(first)", .array(entries.map { "\($0.number)" }), .array(hashes)])
  }

  private static func sealWaiting(_ connection: Connection) throws(ServerFailure) {
    let lines = try connection.run(
      """
      SELECT turn, place FROM entry_without_number
      WHERE change IS NOT NULL AND salt IS NULL AND (email IS NOT NULL OR origin IS NOT NULL)
      """)
    try connection.run(
      """
      UPDATE entry_without_number AS entry SET salt = given.salt
      FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS given (turn, place, salt)
      WHERE entry.turn = given.turn AND entry.place = given.place
      """,
      [
        .array(lines.map { $0.text(0) }), .array(lines.map { $0.text(1) }),
        .array(lines.map { _ in AuditSeal.random().salt.map(Statement.Parameter.hexadecimal) }),
      ])
  }
}
