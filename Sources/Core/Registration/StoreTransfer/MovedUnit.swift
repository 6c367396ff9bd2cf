/// Rows that move together: a store has either all rows of a unit or none.
package struct MovedUnit: Equatable, Sendable {
  package let key: MoveKey
  /// Sorted by table, and within a table by the texts of their values.
  package let rows: [MovedRow]

  package init(_ key: MoveKey, _ rows: [MovedRow]) {
    self.key = key
    self.rows = rows.sorted()
  }
}

package struct MoveKey: Hashable, Sendable, CustomStringConvertible {
  package let strand: MoveStrand
  /// The unit's value in the column `MovedTable.owner`, for example an account's id.
  package let text: String

  package init(_ strand: MoveStrand, _ text: String) {
    self.strand = strand
    self.text = text
  }

  /// The strand and the key, for example "accounts 0193…" or "audit 17".
  package var description: String { "\(strand.rawValue) \(text)" }
}

package struct MovedRow: Hashable, Sendable {
  package let table: MovedTable
  /// One value for each column of the table. Nil means NULL.
  package let values: [String?]

  package init(_ table: MovedTable, _ values: [String?]) {
    self.table = table
    self.values = values
  }

  /// The value of a column, or "" for NULL.
  package func value(_ column: String) -> String { values[table.index(of: column)] ?? "" }

  /// SipHash-2-4 of the table and the values. The key is public, so the digest detects accidental changes, but no
  /// forgery.
  var digest: UInt64 {
    var bytes = Array(table.rawValue.utf8)
    for value in values {
      guard let value else {
        bytes.append(0)
        continue
      }
      bytes.append(1)
      withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
      bytes += value.utf8
    }
    return bytes.withUnsafeBytes { Self.hash.hash($0) }
  }

  private static let hash = SipHash(key: (0x7265_6764_2E6D_6F76, 0x652E_636F_756E_7473))
}

extension MovedRow: Comparable {
  package static func < (one: MovedRow, other: MovedRow) -> Bool {
    guard one.table == other.table else {
      return one.table.place < other.table.place
    }
    for (mine, theirs) in zip(one.values, other.values) where mine != theirs {
      return (mine ?? "").utf8.lexicographicallyPrecedes((theirs ?? "").utf8)
    }
    return false
  }
}

/// For each table, the number of rows and the sum of their digests modulo 2^64. The order of the rows does not matter.
package struct MoveTally: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package fileprivate(set) var count = 0
    package fileprivate(set) var checksum: UInt64 = 0
  }

  private var entries = [Entry](repeating: Entry(), count: MovedTable.allCases.count)

  package init() {}

  package subscript(table: MovedTable) -> Entry { entries[table.place] }

  mutating func add(_ units: [MovedUnit]) {
    for row in units.lazy.flatMap(\.rows) {
      entries[row.table.place].count += 1
      entries[row.table.place].checksum &+= row.digest
    }
  }

  mutating func remove(_ units: [MovedUnit]) {
    for row in units.lazy.flatMap(\.rows) {
      entries[row.table.place].count -= 1
      entries[row.table.place].checksum &-= row.digest
    }
  }

}
