package import Registration
package import Sentences

/// Why a file is not read to its end: what is behind the place has no meaning, or none of the file has.
package enum SourceFailure: Error, Equatable, Sendable {
  /// What a file is that is no text in UTF-8.
  package enum Kind: Equatable, Sendable { case utf16, compressed, database, binary }

  /// What has to stand where something else does.
  package enum PartOfJSON: Equatable, Sendable { case object, member, colon, comma }

  package enum ColumnFault: Equatable, Sendable {
    case missing(String)
    case twice(String)
    case unknown(String, known: [String])
    /// The first row is no row of names.
    case unreadable
  }

  case unreadable(line: Int, String)
  case notText(Kind)
  /// It has no record and could have none.
  case nothing
  /// It ends within what began at the line.
  case truncated(line: Int)
  /// A quotation mark at the line is never closed.
  case openQuote(line: Int)
  case notJSON(line: Int, expected: PartOfJSON)
  /// No object has an array of this name.
  case noArray(String)
  case columns(ColumnFault)
  /// A dump has no rows of this table.
  case noTable(String)
  /// A dump has its rows as statements.
  case insertions(table: String)
}

/// Why one record is not taken. The others are.
package enum RecordRefusal: Error, Equatable, Sendable {
  package enum Form: Equatable, Sendable {
    case json, ldif, base64, colons, quote
    case columns(seen: Int, expected: Int)
    /// A member that has another type than its system gives it.
    case member(String)
  }

  case tooLarge
  case notUTF8
  case malformed(Form)
  /// LDIF that changes a directory.
  case change
  case noAddress
  /// More than one address, of which none is the one that counts.
  case addresses(Int)
  /// A name that becomes an address with a domain only.
  case bareName
  /// regd's own rule for addresses, with its reason and its sentence.
  case address(reason: String, message: Sentence)
  /// Others in the same import have the same address for regd.
  case duplicate(others: [RecordPlace], more: Int)
  case noPassword
  /// The account has several, and which of them counts is not known.
  case passwords(Int)
  /// What stands there is no hash; it may be the password itself.
  case clearPassword
  /// A hash by a function that can be tried out too fast, or one that regd does not know.
  case family(String)
  /// A hash that regd refuses.
  case hash(PasswordHashProblem)
  case time(String)
  /// The address was never proven there, so that its owner could not sign in.
  case unproven
  case deleted
  /// An account of a program, or of nobody.
  case machine
  case state(String)
}

/// Where a record stands.
package struct RecordPlace: Hashable, Sendable {
  /// Which of the files that were given, from 0.
  package let file: Int
  /// Line of its first byte, from 1.
  package let line: Int
  /// Its number among all records of the file, from 1: a JSON text may be one line.
  package let number: Int

  package init(file: Int, line: Int, number: Int) { (self.file, self.line, self.number) = (file, line, number) }
}
