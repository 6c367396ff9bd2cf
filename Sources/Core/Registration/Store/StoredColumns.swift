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
