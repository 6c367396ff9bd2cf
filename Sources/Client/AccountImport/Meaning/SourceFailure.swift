package import Localization
package import Registration

/// Why reading a file stops: the rest of the file, or all of it, cannot be read or has no meaning.
package enum SourceFailure: Error, Equatable, Sendable {
  /// The kind of a file that is not UTF-8 text.
  package enum Kind: Equatable, Sendable { case utf16, compressed, database, binary }

  /// The part of JSON that is expected where something else occurs.
  package enum PartOfJSON: Equatable, Sendable { case object, member, colon, comma }

  package enum ColumnFault: Equatable, Sendable {
    case missing(String)
    case twice(String)
    case unknown(String, known: [String])
    /// The first row does not consist of names.
    case unreadable
  }

  case unreadable(line: Int, String)
  case notText(Kind)
  /// The file contains no record, and neither an empty array nor a heading.
  case nothing
  /// The file ends amid a record, or amid the array, object or table that contains the records. `line` is where that record or
  /// container begins.
  case truncated(line: Int)
  /// A quotation mark at the line is never closed.
  case openQuote(line: Int)
  case notJSON(line: Int, expected: PartOfJSON)
  /// The file begins like CSV, where JSON is expected.
  case csvForJSON
  /// The outer object of the JSON text has no array of this name.
  case noArray(String)
  case columns(ColumnFault)
  /// A dump has no rows of this table.
  case noTable(String)
  /// The dump has the table's rows as INSERT statements.
  case insertions(table: String)
}

/// Why one record is not imported. The other records are not affected.
package enum RecordRefusal: Error, Equatable, Sendable {
  package enum Form: Equatable, Sendable {
    case json, ldif, base64, colons, quote
    case columns(seen: Int, expected: Int)
    /// This member is missing, or has a value that the source does not understand.
    case member(String)
  }

  case tooLarge
  case notUTF8
  case malformed(Form)
  /// An LDIF record that describes a change to a directory (`changetype`) instead of an entry.
  case change
  case noAddress
  /// There are several addresses, and none of them is marked as the account's.
  case addresses(Int)
  /// A name without a domain, and the operator has given no domain to complete it.
  case bareName
  /// regd's own rule for addresses refuses the address, with this reason and message.
  case address(reason: String, message: LocalizedMessage)
  /// Other records have the same address for regd. `more` counts the records that `others` does not name.
  case duplicate(others: [RecordPlace], more: Int)
  case noPassword
  /// The account has several hashes, and it is unknown which one counts.
  case passwords(Int)
  /// The text is not a hash, but may be the password itself.
  case clearPassword
  /// A hash by this function, which is unknown to regd, or so fast that attackers could guess the password.
  case family(String)
  /// A hash that regd refuses.
  case hash(PasswordHashProblem)
  /// The time of creation cannot be read.
  case time(String)
  /// The address was never proven in the other system, so its owner could not sign in there.
  case unproven
  case deleted
  /// An account of a program, or of an anonymous visitor.
  case machine
  case state(String)
  /// The account is in more groups than an account may have.
  case groups
  /// regd's own rule for display names refuses the name, with this reason and message.
  case displayName(reason: String, message: LocalizedMessage)
}

/// The place of a record in the imported files.
package struct RecordPlace: Hashable, Sendable {
  /// The index among the given files, from 0.
  package let file: Int
  /// The line of the record's first byte, from 1.
  package let line: Int
  /// The number among all records of the file, from 1, because a JSON text may be one line.
  package let number: Int

  package init(file: Int, line: Int, number: Int) { (self.file, self.line, self.number) = (file, line, number) }
}
