/// A table of an installation, as it goes from one store to another. Both stores have it under this name, with these columns.
///
/// Rows move as texts, and not as accounts: what one regd could not read is neither lost nor altered on the way.
package enum MovedTable: String, CaseIterable, Sendable {
  case account, request, released, audit

  package struct Column: Hashable, Sendable {
    package let name: String
    /// Whether its values are integers; all others are texts.
    package let isNumber: Bool
  }

  /// In the order of `MovedRow.values`.
  package var columns: [Column] {
    switch self {
    case .account:
      Self.texts("id email email_key password_hash state created_at updated_at confirmed_at")
    case .request: Self.numbers("uid") + Self.texts("id account_id password_hash")
    case .released:
      Self.numbers("number uid") + Self.texts("id account_id email email_key password_hash released_at")
    case .audit:
      Self.numbers("number") + Self.texts("at change account_id email") + Self.numbers("uid pid")
        + Self.texts("origin")
    }
  }

  /// The column that has the key of the unit that a row belongs to.
  package var owner: String {
    switch self {
    case .account: "id"
    case .request: "account_id"
    case .released, .audit: "number"
    }
  }

  /// Columns that two rows never share, besides the owner's: the first row must be gone before the second one comes.
  package var unique: [String] {
    switch self {
    case .account: ["email_key"]
    case .request: ["uid", "id"]
    case .released: ["uid", "id", "account_id"]
    case .audit: []
    }
  }

  /// Where a column stands in a row's values. The column is one of the table's.
  package func index(of column: String) -> Int { columns.firstIndex { $0.name == column } ?? 0 }

  /// Among all tables.
  var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package var strand: MoveStrand {
    switch self {
    case .account, .request: .accounts
    case .released: .released
    case .audit: .audit
    }
  }

  private static func texts(_ names: String) -> [Column] { columns(names, false) }
  private static func numbers(_ names: String) -> [Column] { columns(names, true) }
  private static func columns(_ names: String, _ isNumber: Bool) -> [Column] {
    names.split(separator: " ").map { Column(name: String($0), isNumber: isNumber) }
  }
}

/// What moves in one order of keys. The order of the cases is that of the move.
package enum MoveStrand: String, CaseIterable, Sendable {
  /// Accounts, by their ids, each with all that belongs to it.
  case accounts
  /// What is remembered of released registrations, by its number.
  case released
  /// The audit, by its numbers. It only grows.
  case audit

  /// The tables that a unit has rows of: first the one that the others refer to.
  package var tables: [MovedTable] { MovedTable.allCases.filter { $0.strand == self } }

  /// A key that all others stand behind.
  package var beginning: String { hasNumbers ? "0" : "" }

  package var next: MoveStrand? {
    switch self {
    case .accounts: .released
    case .released: .audit
    case .audit: nil
    }
  }

  var hasNumbers: Bool {
    switch self {
    case .accounts: false
    case .released, .audit: true
    }
  }

  /// Whether a key stands before another one, or is the same.
  func isOrdered(_ one: String, _ other: String) -> Bool {
    guard hasNumbers else { return !other.utf8.lexicographicallyPrecedes(one.utf8) }
    return (Int(one) ?? .max) <= (Int(other) ?? .max)
  }
}
