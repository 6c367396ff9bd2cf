internal import Registration

/// Reads and writes the audit's tree. Only entries that regd has written are in the tree.
enum AuditTreeRow {
  /// From this number on, not all readers of JSON read numbers alike. regd gives such a number only if no smaller one is left.
  private static let long = 1 << 53

  /// SQL for the last number, the size of the tree, and the hashes of its last leaf.
  private static let end = """
    SELECT max(own, ifnull((SELECT max(number) FROM audit WHERE number > own AND number <= highest), 0),
        ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'audit' AND seq <= highest), 0)), leaf + 1, hashes
      FROM (SELECT own, own / 2 + CASE WHEN own < \(long - 1) THEN \(long / 2) ELSE \(Int.max / 2) END AS highest
          FROM (SELECT ifnull((SELECT max(number) FROM audit_tree), 0) AS own))
        LEFT JOIN (SELECT leaf, hashes FROM audit_tree ORDER BY leaf DESC LIMIT 1) ON TRUE
    """

  /// The number of a new entry, and the tree without it.
  ///
  /// The number is later than those of all entries, also of those that another program has added. An added number in the upper half of
  /// those that are left up to `long` is ignored, so that no single entry uses up all numbers. If none is left, the numbers up to the
  /// last possible one are left. PostgreSQL's `AuditTail` has the same rule.
  static func next(_ connection: Connection) throws(SQLiteFailure) -> (number: Int, frontier: AuditFrontier) {
    let found = try connection.query(end) { (row) throws(SQLiteFailure) in
      (number: row.integer(0), size: row.integer(1), hashes: row.bytes(2) ?? [])
    }
    guard let last = found.first, last.number < Int.max else { throw .damaged("the audit has no number left") }
    try requireSize(last.size)
    return (last.number + 1, try frontier(connection, size: last.size, ending: last.hashes))
  }

  /// The tree with this many leaves. Its last peak is the last one of the hashes that are kept with the last leaf, and so shows
  /// whether the tree is still the one that the connection knows. After a rollback, or if another program has written entries, it is
  /// another one.
  private static func frontier(
    _ connection: Connection, size: Int, ending hashes: [UInt8]
  ) throws(SQLiteFailure) -> AuditFrontier {
    let known = connection.frontier
    let isKnown = known.size == size && (known.peaks.last ?? []).elementsEqual(hashes.suffix(AuditHashes.hashLength))
    return isKnown ? known : AuditFrontier(size: size, try self.hashes(connection, of: AuditFrontier.leaves(of: size)))
  }

  static func size(_ connection: Connection) throws(SQLiteFailure) -> Int {
    let size = try connection.integer("SELECT leaf + 1 FROM audit_tree ORDER BY leaf DESC LIMIT 1")
    try requireSize(size)
    return size
  }

  /// Throws if another program has written a leaf that no tree has.
  private static func requireSize(_ size: Int) throws(SQLiteFailure) {
    guard (0..<Int.max).contains(size) else { throw .damaged("audit_tree ends with leaf \(size - 1)") }
  }

  static func leaf(_ connection: Connection, of number: Int) throws(SQLiteFailure) -> Int? {
    try connection.query("SELECT leaf FROM audit_tree WHERE number = CAST(?1 AS INTEGER)", ["\(number)"]) {
      (row) throws(SQLiteFailure) in row.integer(0)
    }.first
  }

  static func hashes(_ connection: Connection, of leaves: [Int]) throws(SQLiteFailure) -> AuditHashes {
    var kept: [Int: [UInt8]] = [:]
    for leaf in Set(leaves) {
      kept[leaf] = try connection.query(
        "SELECT hashes FROM audit_tree WHERE leaf = CAST(?1 AS INTEGER)", ["\(leaf)"]
      ) { (row) throws(SQLiteFailure) in row.bytes(0) ?? [] }.first
    }
    return AuditHashes(kept)
  }

  static func write(
    _ connection: Connection, _ number: Int, leaf: Int, _ hashes: [UInt8]
  ) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO audit_tree (number, leaf, hashes) VALUES (?1, ?2, ?3)", ["\(number)", "\(leaf)"], blobs: [hashes])
  }

  /// Gives all readable entries seals and leaves, in the order of their numbers. Only for a database without a tree.
  ///
  /// - Parameter doing: Called with the progress after each of many entries.
  static func fill(
    _ connection: Connection, _ cryptography: any AuditCryptography, doing: (_ what: String) -> Void
  ) throws(SQLiteFailure) {
    let all = try connection.integer("SELECT count(*) FROM audit")
    var frontier = AuditFrontier()
    var last = 0
    while true {
      let entries = try AuditRow.list(connection, after: last, limit: entriesAtOnce)
      for entry in entries.map({ $0.sealed() }) {
        if let salt = entry.seal?.salt {
          try connection.run(
            """
            INSERT INTO audit_address (number, salt) VALUES (?1, ?2)
            ON CONFLICT (number) DO UPDATE SET salt = excluded.salt
            """, ["\(entry.number)"], blobs: [salt])
        }
        let leaf = frontier.size
        let hashes = frontier.append(cryptography.leafHash(entry.leaf(cryptography)), cryptography)
        try write(connection, entry.number, leaf: leaf, hashes)
      }
      guard entries.count == entriesAtOnce, let end = entries.last?.number else { return }
      last = end
      doing("adding the entries of its audit to a tree (\(frontier.size) of \(all))")
    }
  }

  private static let entriesAtOnce = 1000
}
