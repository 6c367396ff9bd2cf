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
        "SELECT \(table.list) FROM \(table.rawValue) WHERE \(table.ownerIsBehind) AND \(table.owner) <= \(table.key("?2"))",
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
          "SELECT \(table.list) FROM \(table.rawValue) WHERE \(table.owner) = \(table.key("?1"))", [key.text]
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
      let table = row.table
      let values = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
      try connection.run("INSERT INTO \(table.rawValue) (\(table.list)) VALUES (\(values))", row.values)
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
      values.append(row.isNull(Int32(index)) ? nil : text(column, row.text(Int32(index))))
    }
    return MovedRow(table, values)
  }

  /// Extends a time to microseconds if SQLite's own clock wrote it, with milliseconds only. Returns any other text unchanged.
  private static func text(_ column: MovedTable.Column, _ text: String) -> String {
    guard column.kind == .time, text.utf8.count == 24 else { return text }
    return Timestamp(anyRFC3339: text)?.rfc3339 ?? text
  }
}

extension MovedTable {
  fileprivate var list: String { columns.map(\.name).joined(separator: ", ") }

  /// A key as SQL for a comparison with the owner's column.
  fileprivate func key(_ parameter: String) -> String {
    columns[index(of: owner)].kind == .integer ? "CAST(\(parameter) AS INTEGER)" : parameter
  }

  fileprivate var ownerIsBehind: String { "\(owner) > \(key("?1"))" }
}
