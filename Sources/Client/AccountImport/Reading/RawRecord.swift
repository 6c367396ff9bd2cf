internal import RegdClient

/// A record as the file's format gives it, before its `AccountSource` interprets it.
struct RawRecord {
  /// The line where the record begins, from 1.
  let line: Int
  /// An object, or the reason why there is no object.
  let fields: Result<JSONValue, RecordRefusal>
  /// Whether the record is a part of an entry with very many members, and the next record continues the entry. The last part has
  /// all attributes of the entry except the members of earlier parts.
  var isContinued = false
}

/// Reads the records of one format in sequence.
///
/// A mistake in one record makes that record a refusal, and the reader continues with the next record. The reader
/// throws only if the rest of the file cannot be read or has no meaning.
protocol RecordReader: ~Copyable {
  /// - Returns: Nil after the last record.
  mutating func next() throws(SourceFailure) -> RawRecord?

  /// Bytes of the file read so far, for a progress bar.
  var bytesRead: Int { get }
}

/// The format of the records in a file.
enum RecordFormat: Equatable {
  /// Objects, in sequence or in arrays. With `array`, the elements of the array under this name in the file's outer
  /// object.
  case json(array: String?)
  /// Rows (RFC 4180). `columns` is nil if the first line has the columns' names.
  case csv(columns: [String]?)
  /// The rows of the table with this schema and name in a dump of PostgreSQL, in COPY's format.
  case copy(schema: String, table: String)
  /// The rows of the table with this name in a dump of MySQL, in INSERT statements. `hasPrefix`: whether the name may have a
  /// prefix that ends in `_`.
  case inserts(table: String, hasPrefix: Bool)
  /// Entries (RFC 2849).
  case ldif
  /// One record per line, with fields between colons.
  case colons
}

/// The most bytes of a record. A longer record is refused, and never held in memory.
enum RecordLimit {
  static let bytes = 1 << 20
}
