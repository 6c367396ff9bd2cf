package import Linux
internal import Localization
package import Registration

/// An account in the form that `account.import` accepts.
package struct ForeignAccount: Equatable, Sendable {
  /// The address as it was typed in the other system.
  package let email: String
  /// The hash in a spelling that regd reads. It is a secret.
  package let passwordHash: String
  package let state: Account.State
  /// The time of creation, or nil if the system does not give it.
  package let createdAt: Timestamp?
  /// Derived from the export alone, so a repeated import gives the same id, or nil if the system knows the account only
  /// by its address.
  package let id: String?
  /// The operator's terms that the owner has accepted, or nil if the system does not give any.
  package let terms: AcceptedTerms?
  package let groups: Groups
  package let displayName: DisplayName?
  /// The groups that the account had in the other system and does not get.
  package let leftOut: LeftOutGroups

  package var hasPassword: Bool { passwordHash != PasswordHash.none.phc }
}

/// The result of reading a record.
package enum ForeignRecord: Sendable {
  case account(ForeignAccount)
  /// `name` is the address, or else the other system's name for the record, or nil if neither can be read.
  case refused(RecordRefusal, name: String?)
  /// The record is about something other than an account.
  case passedOver
}

/// Reads the exports of another system in two passes. `note` collects all addresses, to find records with the same
/// address, and the members of groups. `read` returns each record for import.
///
/// Keeps one record in memory, of about `RecordLimit.bytes` at most, 32 bytes for each address, and 24 bytes for each
/// member of a group, or of the entry that is being read, because the entry may be a group.
package struct ForeignImport {
  private let system: ForeignSystem
  private let options: SourceOptions
  private let emails: EmailRules
  private let normalizer: any TextNormalizer
  private let hashes: (any PasswordHashReader)?
  private let source: any AccountSource

  /// - Parameters:
  ///   - normalizer: regd's own normaliser, so that addresses are equal here exactly if they are equal for regd.
  ///   - hashes: Judges hashes as regd will. It is nil if only regd itself judges them, during the import.
  package init(
    _ system: ForeignSystem, _ options: SourceOptions, normalizer: any TextNormalizer,
    hashes: (any PasswordHashReader)? = nil
  ) {
    self.hashes = hashes
    self.normalizer = normalizer
    self.system = system
    self.options = options
    // the rules that regd applies to the addresses of imported accounts
    emails = EmailRules(normalizer: normalizer)
    source = system.source(options)
  }

  /// Reads one file for the first time.
  ///
  /// - Parameters:
  ///   - file: The file's index among the imported files, from 0.
  ///   - reading: Collects the addresses of the file's accounts, and the members of its groups.
  ///   - report: Called every 1000 records with the numbers of bytes and records read so far. It may throw to end the
  ///     reading.
  /// - Throws: `SourceFailure`, or the error that `report` throws.
  package func note(
    _ descriptor: consuming Descriptor, file: Int, in reading: inout FirstReading,
    _ report: (_ bytesRead: Int, _ records: Int) throws -> Void
  ) throws {
    try forEachRecord(in: FileBytes(descriptor), file: file) { raw, place, bytesRead in
      if place.number % Self.reportEvery == 0 { try report(bytesRead, place.number) }
      guard let fields = try? raw.fields.get() else { return reading.groups.drop() }
      // only the last part of an entry shows what the entry is
      guard !raw.isContinued else { return reading.groups.hold(source.members(fields)) }
      if let group = source.group(fields) { reading.groups.note(group) } else { reading.groups.drop() }
      guard let email = try? source.email(fields), case .success(let address) = emails.check(email) else { return }
      reading.addresses.note(address.key, at: place)
    }
  }

  /// Reads one file for the second time.
  ///
  /// - Parameters:
  ///   - reading: What `note` has collected from all files, after `settle`.
  ///   - visit: Gets each record. It may throw to end the reading.
  /// - Throws: `SourceFailure`, or the error that `visit` throws.
  package func read(
    _ descriptor: consuming Descriptor, file: Int, _ reading: FirstReading,
    _ visit: (_ record: ForeignRecord, _ place: RecordPlace, _ bytesRead: Int) throws -> Void
  ) throws {
    try forEachRecord(in: FileBytes(descriptor), file: file) { raw, place, bytesRead in
      guard !raw.isContinued else { return try visit(.passedOver, place, bytesRead) }
      let record: ForeignRecord
      do throws(RecordRefusal) {
        record = try account(raw, place, reading).map { .account($0) } ?? .passedOver
      } catch {
        record = .refused(error, name: (try? raw.fields.get()).flatMap(source.name))
      }
      try visit(record, place, bytesRead)
    }
  }

  /// Whether a file begins like CSV: the first line has several fields, and one of them is an address, or a name of the
  /// column with the addresses.
  package static func looksLikeCSV(_ beginning: ArraySlice<UInt8>) -> Bool {
    guard let first = beginning.first, !"{[".utf8.contains(first) else { return false }
    let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
    let fields = line.split { ",;\t".utf8.contains($0) }
    return fields.count > 1
      && fields.contains { field in
        let text = String(decoding: field.filter { !"\" \r".utf8.contains($0) }, as: UTF8.self).lowercased()
        return text.wholeMatch(of: #/[\w.+-]*(mail|@)[\w.@+-]*/#) != nil
      }
  }

  private static let reportEvery = 1000

  /// The account that a record describes.
  ///
  /// - Returns: Nil if the record is about something other than an account.
  private func account(
    _ raw: RawRecord, _ place: RecordPlace, _ reading: FirstReading
  ) throws(RecordRefusal) -> ForeignAccount? {
    let fields = try raw.fields.get()
    guard let email = try source.email(fields) else { return nil }
    switch emails.check(email) {
    case .success(let address): if let refusal = reading.addresses.refusal(of: address.key, at: place) { throw refusal }
    case .failure(let refusal):
      let problem = refusal.problems.first
      throw .address(
        reason: (problem?.reason ?? .emailSyntax).rawValue,
        message: problem?.sentence ?? LocalizedMessage(RecordMessageKey.addressIsNone))
    }
    let found = try source.account(fields, email)
    let (groups, leftOut) = try self.groups(of: found, reading.groups)
    return ForeignAccount(
      email: email, passwordHash: try hash(of: found), state: try state(of: found), createdAt: found.createdAt,
      id: found.id.map { options.ids.id($0, of: system) }, terms: found.terms, groups: groups,
      displayName: try displayName(of: found), leftOut: leftOut)
  }

  /// The account's groups, and those that it is imported without.
  private func groups(
    of account: SourceAccount, _ noted: NotedGroups
  ) throws(RecordRefusal) -> (Groups, LeftOutGroups) {
    var names = account.groups
    if let key = account.memberKey { names += noted.names(of: key) }
    var missing: [String] = []
    for key in account.groupKeys {
      let found = noted.names(of: key)
      if found.isEmpty { missing.append(key) }
      names += found
    }
    guard let groups = Groups(names.compactMap { GroupName($0) }) else { throw .groups }
    return (groups, LeftOutGroups(of: names, missing: missing))
  }

  private func displayName(of account: SourceAccount) throws(RecordRefusal) -> DisplayName? {
    switch DisplayName.check(account.displayName, normalizer) {
    case nil: return nil
    case .success(let name)?: return name
    case .failure(let refusal)?:
      guard let problem = refusal.problems.first else { return nil }
      throw .displayName(reason: problem.reason.rawValue, message: problem.sentence)
    }
  }

  /// The account's hash. If the operator wishes it, an account whose hash is missing or refused gets none.
  private func hash(of account: SourceAccount) throws(RecordRefusal) -> String {
    do throws(RecordRefusal) {
      let hash = try account.passwordHash.get()
      try check(hash, of: account)
      return hash
    } catch {
      guard options.withoutPasswords, account.mayLackPassword else { throw error }
      return PasswordHash.none.phc
    }
  }

  private func check(_ hash: String, of account: SourceAccount) throws(RecordRefusal) {
    if hash == PasswordHash.none.phc {
      // regd's export writes this hash for an account without a password. Other systems write it for a locked account.
      guard system == .csv, account.mayLackPassword else { throw .noPassword }
      return
    }
    if let family = HashFamily.tooFast(hash) { throw .family(family) }
    if case .failure(let problem)? = hashes?.check(hash) { throw .hash(problem) }
  }

  private func state(of account: SourceAccount) throws(RecordRefusal) -> Account.State {
    guard account.state == .active else { return account.state }
    switch account.proof {
    case .unknown: return .active
    case .open: return options.unproven ?? .active
    case .shut:
      guard let state = options.unproven else { throw .unproven }
      return state
    }
  }

  private func forEachRecord(
    in bytes: consuming FileBytes, file: Int,
    _ visit: (_ raw: RawRecord, _ place: RecordPlace, _ bytesRead: Int) throws -> Void
  ) throws {
    switch source.format(bytes.beginning) {
    case .json(let array):
      if Self.looksLikeCSV(bytes.beginning) { throw SourceFailure.csvForJSON }
      try Self.all(JSONRecords(bytes, array: array), file, visit)
    case .csv(let columns):
      try Self.all(CSVRecords(bytes, columns: columns, wanted: source.columns), file, visit)
    case .copy(let schema, let table):
      try Self.all(CopyRecords(bytes, schema: schema, table: table, wanted: source.columns), file, visit)
    case .inserts(let table, let hasPrefix):
      try Self.all(
        InsertRecords(bytes, table: table, hasPrefix: hasPrefix, wanted: source.columns), file, visit)
    case .ldif: try Self.all(LDIFRecords(bytes, wanted: source.columns.known), file, visit)
    case .colons: try Self.all(ColonRecords(bytes), file, visit)
    }
  }

  private static func all<Reader: RecordReader & ~Copyable>(
    _ reader: consuming Reader, _ file: Int,
    _ visit: (_ raw: RawRecord, _ place: RecordPlace, _ bytesRead: Int) throws -> Void
  ) throws {
    var reader = reader
    var number = 0
    while let raw = try reader.next() {
      number += 1
      try visit(raw, RecordPlace(file: file, line: raw.line, number: number), reader.bytesRead)
    }
  }
}
