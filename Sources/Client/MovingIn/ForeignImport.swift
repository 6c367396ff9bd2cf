package import Linux
package import Registration
internal import Sentences

/// An account as `account.import` takes it.
package struct ForeignAccount: Equatable, Sendable {
  /// As it was typed there.
  package let email: String
  /// In a spelling that regd reads; a secret.
  package let passwordHash: String
  package let state: Account.State
  /// Nil where the system does not say it.
  package let createdAt: Timestamp?
  /// The same each time that the same export is read; nil where the system has no name for the account but its address.
  package let id: String?
}

/// What a record came to.
package enum ForeignRecord: Sendable {
  case account(ForeignAccount)
  /// - name: What the operator knows it by, as far as that can be read: an address, or its system's name for it.
  case refused(RecordRefusal, name: String?)
  /// It is about something else than an account.
  case passedOver
}

/// Reads the exports of another system: each record once to find those that are one account for regd, and once more to take them.
///
/// What it holds in memory is one record, at most `RecordLimit.bytes`, and 32 bytes for each address.
package struct ForeignImport {
  private let system: ForeignSystem
  private let options: SourceOptions
  private let emails: EmailRules
  private let hashes: (any PasswordHashReader)?
  private let source: any AccountSource

  /// - Parameters:
  ///   - normalizer: The one that regd has, so that addresses are one here if they are one there.
  ///   - hashes: Judges hashes as regd will; nil where regd itself is asked.
  package init(
    _ system: ForeignSystem, _ options: SourceOptions, normalizer: any TextNormalizer,
    hashes: (any PasswordHashReader)? = nil
  ) {
    self.hashes = hashes
    self.system = system
    self.options = options
    // those by which regd takes the addresses of imported accounts
    emails = EmailRules(normalizer: normalizer)
    source = system.source(options)
  }

  /// Reads one file for the first time.
  ///
  /// - Parameters:
  ///   - file: Its place among those that are imported, from 0.
  ///   - addresses: Takes the addresses of its accounts.
  ///   - report: Is told how many bytes were read and how many records; it may throw to end the reading.
  /// - Throws: `SourceFailure`, or what `report` throws.
  package func note(
    _ descriptor: consuming Descriptor, file: Int, in addresses: inout NotedAddresses,
    _ report: (_ bytesRead: Int, _ records: Int) throws -> Void
  ) throws {
    try forEachRecord(in: FileBytes(descriptor), file: file) { raw, place, bytesRead in
      if place.number % Self.reportEvery == 0 { try report(bytesRead, place.number) }
      guard let fields = try? raw.fields.get(), let email = try? source.email(fields),
        case .success(let address) = emails.check(email)
      else { return }
      addresses.note(address.key, at: place)
    }
  }

  /// Reads one file for the second time.
  ///
  /// - Parameters:
  ///   - addresses: Those of all files.
  ///   - visit: Is given each record; it may throw to end the reading.
  /// - Throws: `SourceFailure`, or what `visit` throws.
  package func read(
    _ descriptor: consuming Descriptor, file: Int, _ addresses: NotedAddresses,
    _ visit: (_ record: ForeignRecord, _ place: RecordPlace, _ bytesRead: Int) throws -> Void
  ) throws {
    try forEachRecord(in: FileBytes(descriptor), file: file) { raw, place, bytesRead in
      let record: ForeignRecord
      do throws(RecordRefusal) {
        record = try account(raw, place, addresses).map { .account($0) } ?? .passedOver
      } catch {
        record = .refused(error, name: (try? raw.fields.get()).flatMap(source.name))
      }
      try visit(record, place, bytesRead)
    }
  }

  private static let reportEvery = 1000

  /// What one record means.
  ///
  /// - Returns: Nil where it is about something else than an account.
  private func account(
    _ raw: RawRecord, _ place: RecordPlace, _ addresses: NotedAddresses
  ) throws(RecordRefusal) -> ForeignAccount? {
    let fields = try raw.fields.get()
    guard let email = try source.email(fields) else { return nil }
    switch emails.check(email) {
    case .success(let address): if let refusal = addresses.refusal(of: address.key, at: place) { throw refusal }
    case .failure(let refusal):
      let problem = refusal.problems.first
      throw .address(
        reason: (problem?.reason ?? .emailSyntax).rawValue,
        message: problem?.sentence ?? Sentence(RecordSentence.addressIsNone))
    }
    let found = try source.account(fields, email)
    if let family = HashFamily.tooFast(found.passwordHash) { throw .family(family) }
    if case .failure(let problem)? = hashes?.check(found.passwordHash) { throw .hash(problem) }
    return ForeignAccount(
      email: email, passwordHash: found.passwordHash, state: try state(of: found), createdAt: found.createdAt,
      id: found.id.map { options.ids.id($0, of: system) })
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
    case .json(let array): try Self.all(JSONRecords(bytes, array: array), file, visit)
    case .csv(let columns):
      try Self.all(CSVRecords(bytes, columns: columns, wanted: source.columns), file, visit)
    case .copy(let schema, let table):
      try Self.all(CopyRecords(bytes, schema: schema, table: table, wanted: source.columns), file, visit)
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
