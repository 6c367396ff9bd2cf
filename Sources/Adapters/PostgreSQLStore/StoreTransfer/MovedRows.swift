internal import Registration

/// Reads and writes the rows of a database for a move. Each table costs one statement, which has many rows in arrays.
enum MovedRows {
  /// A page of units in the order of their keys.
  static func page(_ connection: Connection, _ page: MovePage, limit: Int) throws(ServerFailure) -> [MovedUnit] {
    let first = page.strand.tables[0]
    // an empty key means the beginning, but the server does not accept it as a uuid
    let start = page.after.isEmpty && first.hasAccountKey ? AccountRow.beforeAll : page.after
    let after = Statement.Parameter.text(start)
    let keys = try connection.run(
      "SELECT \(first.owner) FROM \(first.rawValue) WHERE \(first.owner) > $1::\(first.key) ORDER BY 1 LIMIT \(limit)",
      [after]
    ).map { $0.text(0) }
    guard let last = keys.last else { return [] }
    var rows: [MovedRow] = []
    for table in page.strand.tables {
      let sql = "WHERE \(table.owner) > $1::\(table.key) AND \(table.owner) <= $2::\(table.key)"
      rows += try connection.run("\(table.selection) \(sql)", [after, .text(last)]).map { read(table, $0) }
    }
    return units(page.strand, keys, rows)
  }

  /// The units with these keys, in any order. Skips a key that has no rows.
  static func units(_ connection: Connection, _ keys: [MoveKey]) throws(ServerFailure) -> [MovedUnit] {
    var units: [MovedUnit] = []
    for strand in MoveStrand.allCases {
      let texts = keys.filter { $0.strand == strand }.map(\.text)
      guard !texts.isEmpty else { continue }
      var rows: [MovedRow] = []
      for table in strand.tables {
        rows += try connection.run(
          "\(table.selection) WHERE \(table.owner) = ANY ($1::\(table.key)[])", [.array(texts)]
        ).map { read(table, $0) }
      }
      let there = Set(rows.map { $0.value($0.table.owner) })
      units += self.units(strand, texts.filter(there.contains), rows)
    }
    return units
  }

  static func insert(_ connection: Connection, _ units: [MovedUnit]) throws(ServerFailure) {
    for table in MovedTable.allCases {
      let rows = units.lazy.flatMap(\.rows).filter { $0.table == table }
      guard !rows.isEmpty else { continue }
      let arrays = table.columns.enumerated().map { "$\($0 + 1)::\($1.type)[]" }.joined(separator: ", ")
      let overriding = table.hasIdentity ? "OVERRIDING SYSTEM VALUE" : ""
      try connection.run(
        "INSERT INTO \(table.rawValue) (\(table.list)) \(overriding) SELECT * FROM unnest(\(arrays))",
        table.columns.enumerated().map { index, column in
          .array(rows.map { row in row.values[index].map(column.written) })
        })
    }
  }

  static func remove(_ connection: Connection, _ keys: [MoveKey]) throws(ServerFailure) {
    for strand in MoveStrand.allCases {
      let texts = keys.filter { $0.strand == strand }.map(\.text)
      guard !texts.isEmpty else { continue }
      for table in strand.tables.reversed() {
        try connection.run(
          "DELETE FROM \(table.rawValue) WHERE \(table.owner) = ANY ($1::\(table.key)[])", [.array(texts)])
      }
    }
  }

  /// The keys of the stored units that conflict with `units` in a value that must be unique.
  static func holders(_ connection: Connection, of units: [MovedUnit]) throws(ServerFailure) -> [MoveKey] {
    var holders: [MoveKey] = []
    for table in MovedTable.allCases where !table.unique.isEmpty {
      let rows = units.lazy.flatMap(\.rows).filter { $0.table == table }
      guard !rows.isEmpty else { continue }
      let columns = table.unique.map { table.columns[table.index(of: $0)] }
      let arrays = columns.enumerated().map { "$\($0 + 1)::\($1.type)[]" }.joined(separator: ", ")
      let names = columns.map { "given_\($0.name)" }.joined(separator: ", ")
      let condition = columns.map { "\(table.rawValue).\($0.name) = given_\($0.name)" }.joined(separator: " AND ")
      holders += try connection.run(
        """
        SELECT DISTINCT \(table.rawValue).\(table.owner)
        FROM unnest(\(arrays)) AS given (\(names)) JOIN \(table.rawValue) ON \(condition)
        """, columns.map { column in .array(rows.map { $0.value(column.name) }) }
      ).map { MoveKey(table.strand, $0.text(0)) }
    }
    return holders
  }

  // MARK: -

  private static func units(_ strand: MoveStrand, _ keys: [String], _ rows: [MovedRow]) -> [MovedUnit] {
    let rows = Dictionary(grouping: rows) { $0.value($0.table.owner) }
    return keys.map { MovedUnit(MoveKey(strand, $0), rows[$0] ?? []) }
  }

  private static func read(_ table: MovedTable, _ row: Row) -> MovedRow {
    MovedRow(
      table,
      table.columns.enumerated().map { index, column in
        row.isNull(Int32(index)) ? nil : column.read(row, Int32(index))
      })
  }
}

extension MovedTable {
  fileprivate var list: String { columns.map(\.name).joined(separator: ", ") }
  fileprivate var selection: String { "SELECT \(columns.map(\.selected).joined(separator: ", ")) FROM \(rawValue)" }
  /// The type of the owner's column.
  fileprivate var key: String { columns[index(of: owner)].type }
  fileprivate var hasAccountKey: Bool { columns[index(of: owner)].kind == .account }

  /// Whether the server generates the table's numbers (GENERATED ALWAYS).
  var hasIdentity: Bool {
    switch self {
    case .released, .mailAsk, .wrongCode: true
    case .account, .request, .delivery, .claim, .mail, .invitation, .invitationUse, .auditAddress, .audit: false
    }
  }
}

extension MovedTable.Column {
  fileprivate var type: String {
    switch kind {
    case .text: "text"
    case .anyText: "bytea"
    case .integer: "bigint"
    case .account: "uuid"
    case .time: "timestamptz"
    }
  }

  fileprivate var selected: String {
    switch kind {
    case .text, .anyText, .integer, .account: name
    case .time: TimeColumn.text(name)
    }
  }

  fileprivate func written(_ value: String) -> String {
    switch kind {
    case .text, .integer, .account, .time: value
    case .anyText: Statement.Parameter.hexadecimal(value)
    }
  }

  fileprivate func read(_ row: Row, _ index: Int32) -> String {
    switch kind {
    case .text, .integer, .account, .time: row.text(index)
    case .anyText: String(decoding: row.bytes(index) ?? [], as: UTF8.self)
    }
  }
}
