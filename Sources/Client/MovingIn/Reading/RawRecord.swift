internal import RegdClient

/// A record as its format has it, before its system's meaning is known.
struct RawRecord {
  /// Where it begins, from 1.
  let line: Int
  /// An object; or why there is none.
  let fields: Result<JSONValue, RecordRefusal>
}

/// Reads the records of one format, one after the other.
///
/// What is wrong with one record is that record's refusal, and the next one is read. A failure is for what leaves the rest of the file
/// without a meaning.
protocol RecordReader: ~Copyable {
  /// - Returns: Nil behind the last record.
  mutating func next() throws(SourceFailure) -> RawRecord?

  /// Of the file, for a progress bar.
  var bytesRead: Int { get }
}

/// How a file's records are told apart.
enum RecordFormat: Equatable {
  /// Objects, one behind the other or in arrays; or those of the array that a file's object has by this name.
  case json(array: String?)
  /// RFC 4180. Nil: the first line has the columns' names.
  case csv(columns: [String]?)
  /// The rows that COPY writes in a dump of PostgreSQL's, of the table with this schema and name.
  case copy(schema: String, table: String)
  /// RFC 2849.
  case ldif
  /// A record a line, whose fields stand between colons.
  case colons
}

/// Bytes of the longest record: what is longer is refused, and is never held in memory.
enum RecordLimit {
  static let bytes = 1 << 20
}
