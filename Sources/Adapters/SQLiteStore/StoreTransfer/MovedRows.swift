internal import Registration

/// Reads and writes the rows of a database for a move.
enum MovedRows {
  /// A page of units in the order of their keys.
  static func page(_ connection: Connection, _ page: MovePage, limit: Int) throws(SQLiteFailure) -> [MovedUnit] {
    let first = page.strand.tables[0]
    let keys = try connection.query(
      "SELECT \(first.owner) FROM \(first.rawValue) WHERE \(first.ownerIsBehind) ORDER BY \(first.owner) LIMIT \(limit)",
      [page.after]
    ) { (row) throws(SQLiteFailure) in row.text(0) }
    guard let last = keys.last else { return [] }
    var rows: [String: [MovedRow]] = [:]
    for table in page.strand.tables {
      let found = try connection.query(
        "SELECT \(table.list) FROM \(table.source) WHERE \(table.ownerIsBehind) AND \(table.owner) <= \(table.key("?2"))",
        [page.after, last]
      ) { (row) throws(SQLiteFailure) in read(table, row) }
      for row in found { rows[row.value(table.owner), default: []].append(row) }
    }
    return keys.map { MovedUnit(MoveKey(page.strand, $0), rows[$0] ?? []) }
  }

  /// The units with these keys, in the same order. Skips a key that has no rows.
  static func units(_ connection: Connection, _ keys: [MoveKey]) throws(SQLiteFailure) -> [MovedUnit] {
    var units: [MovedUnit] = []
    for key in keys {
      var rows: [MovedRow] = []
      for table in key.strand.tables {
        rows += try connection.query(
          "SELECT \(table.list) FROM \(table.source) WHERE \(table.owner) = \(table.key("?1"))", [key.text]
        ) { (row) throws(SQLiteFailure) in read(table, row) }
      }
      if !rows.isEmpty { units.append(MovedUnit(key, rows)) }
    }
    return units
  }

  static func count(_ connection: Connection, _ page: MovePage) throws(SQLiteFailure) -> Int {
    let table = page.strand.tables[0]
    return try connection.query(
      "SELECT count(*) FROM \(table.rawValue) WHERE \(table.ownerIsBehind)", [page.after]
    ) { (row) throws(SQLiteFailure) in row.integer(0) }.first ?? 0
  }

  static func insert(_ connection: Connection, _ unit: MovedUnit) throws(SQLiteFailure) {
    for row in unit.rows {
      for part in row.table.parts {
        let values = part.columns.map { (column: $0, text: row.values[row.table.index(of: $0.name)]) }
        // an entry that another program has added has no leaf
        let hasValues = values.contains { $0.column.name != row.table.owner && $0.text != nil }
        guard part.table == row.table.rawValue || hasValues else { continue }
        // the columns with bytes are the last ones
        let blobs = values.filter { $0.column.kind == .bytes }
        let places = (1...values.count).map { "?\($0)" }.joined(separator: ", ")
        let names = part.columns.map(\.name).joined(separator: ", ")
        try connection.run(
          "INSERT INTO \(part.table) (\(names)) VALUES (\(places))", values.dropLast(blobs.count).map(\.text),
          blobs: blobs.map { $0.text.flatMap { [UInt8](hexadecimal: $0) } })
      }
    }
  }

  static func remove(_ connection: Connection, _ key: MoveKey) throws(SQLiteFailure) {
    let table = key.strand.tables[0]
    try connection.run("DELETE FROM \(table.rawValue) WHERE \(table.owner) = \(table.key("?1"))", [key.text])
  }

  /// The stored unit that already has this row's values of unique columns, if any.
  static func holder(_ connection: Connection, _ row: MovedRow) throws(SQLiteFailure) -> MoveKey? {
    let (table, unique) = (row.table, row.table.unique)
    guard !unique.isEmpty else { return nil }
    let condition = unique.enumerated().map { "\($1) = ?\($0 + 1)" }.joined(separator: " AND ")
    return try connection.query(
      "SELECT \(table.owner) FROM \(table.rawValue) WHERE \(condition)", unique.map { row.value($0) }
    ) { (row) throws(SQLiteFailure) in MoveKey(table.strand, row.text(0)) }.first
  }

  private static func read(_ table: MovedTable, _ row: borrowing Row) -> MovedRow {
    var values: [String?] = []
    for (index, column) in table.columns.enumerated() {
      values.append(row.isNull(Int32(index)) ? nil : text(column, row, Int32(index)))
    }
    return MovedRow(table, values)
  }

  /// Extends a time to microseconds if SQLite's own clock wrote it, with milliseconds only.
  private static func text(_ column: MovedTable.Column, _ row: borrowing Row, _ index: Int32) -> String {
    guard column.kind != .bytes else { return (row.bytes(index) ?? []).hexadecimal }
    let text = row.text(index)
    guard column.kind == .time, text.utf8.count == 24 else { return text }
    return Timestamp(anyRFC3339: text)?.rfc3339 ?? text
  }
}

extension MovedTable {
  fileprivate var list: String { columns.map(\.name).joined(separator: ", ") }

  /// The tables that contain the columns. The leaf of an audit entry is in a separate table.
  var parts: [(table: String, columns: [Column])] {
    guard self == .audit else { return [(rawValue, columns)] }
    let ofLeaf: Set = ["leaf", "hashes"]
    return [
      (rawValue, columns.filter { !ofLeaf.contains($0.name) }),
      ("audit_tree", columns.filter { $0.name == owner || ofLeaf.contains($0.name) }),
    ]
  }

  /// The tables as SQL for a FROM clause.
  fileprivate var source: String {
    parts.map(\.table).joined(separator: " LEFT JOIN ") + (parts.count > 1 ? " USING (\(owner))" : "")
  }

  /// A key as SQL for a comparison with the owner's column.
  fileprivate func key(_ parameter: String) -> String {
    columns[index(of: owner)].kind == .integer ? "CAST(\(parameter) AS INTEGER)" : parameter
  }

  fileprivate var ownerIsBehind: String { "\(owner) > \(key("?1"))" }
}
