import AddressNormalization
import Linux
import RegdProcesses
import Registration
import TestKit

@testable import AccountImport

/// Reads exports as `regctl import --from … --dry-run` does, and describes the result of each record in a line.
struct Reading {
  /// 2026-11-22.
  static let now = Timestamp(microseconds: 1_795_305_600_000_000)

  let system: ForeignSystem
  var options: SourceOptions = {
    let namespace = AccountID(NamedIDs.usualNamespace) ?? AccountID(at: Reading.now)
    var options = SourceOptions(now: Reading.now, ids: NamedIDs(namespace: namespace))
    options.firebase = FirebaseParameters()
    options.domain = "example.org"
    return options
  }()

  /// Judges hashes, or nil to leave that to regd.
  var hashes: (any PasswordHashReader)?

  init(_ system: ForeignSystem, unproven: Account.State? = nil) {
    self.system = system
    options.unproven = unproven
  }

  static func export(_ name: String) throws -> [UInt8] {
    try FileReading.bytes("\(Places.root)/Tests/Client/AccountImportTests/Exports/\(name)")
  }

  func records(_ files: [UInt8]...) throws -> [(record: ForeignRecord, place: RecordPlace)] {
    try TemporaryDirectory.with { directory in
      let foreign = ForeignImport(system, options, normalizer: UnicodeNormalizer(), hashes: hashes)
      var noted = FirstReading()
      for (index, bytes) in files.enumerated() {
        let path = "\(directory)/\(index)"
        try Descriptor.open(path, [.writing, .creatingNew]).writeAll(bytes)
        try foreign.note(.open(path, .reading), file: index, in: &noted) { _, _ in }
      }
      noted.settle()
      var records: [(ForeignRecord, RecordPlace)] = []
      for index in files.indices {
        try foreign.read(.open("\(directory)/\(index)", .reading), file: index, noted) { record, place, _ in
          records.append((record, place))
        }
      }
      return records
    }
  }

  func lines(_ files: [UInt8]...) throws -> [String] {
    let records = try files.count == 1 ? records(files[0]) : records(files[0], files[1])
    return records.map { record, place in
      let at = files.count == 1 ? "\(place.line)" : "\(place.file):\(place.line)"
      switch record {
      case .passedOver: return "\(at) passed over"
      case .refused(let refusal, let name): return "\(at) \(refusal.reason) \(name ?? "-")"
      case .account(let account):
        let time = account.createdAt.map { String($0.rfc3339.prefix(19)) } ?? "-"
        let family = HashFamily.name(account.passwordHash) ?? "?"
        return "\(at) \(account.state.rawValue) \(account.email) \(time) \(account.id ?? "-") \(family)"
      }
    }
  }

  func lines(_ text: String) throws -> [String] { try lines(Array(text.utf8)) }

  /// The account's groups, its display name, and the groups that it does not get. Empty if the account has none of these.
  static func extras(of account: ForeignAccount) -> String {
    let groups = account.groups.names.map(\.description)
    let leftOut = account.leftOut.misnamed + account.leftOut.missing
    return (groups.isEmpty ? "" : " in \(groups.joined(separator: ","))")
      + (account.displayName.map { " named \($0.text)" } ?? "")
      + (leftOut.isEmpty ? "" : " not in \(leftOut.joined(separator: ","))")
  }

  /// The error that ends the reading, or nil.
  func failure(_ bytes: [UInt8]) -> SourceFailure? {
    do {
      _ = try records(bytes)
      return nil
    } catch { return error as? SourceFailure }
  }

  func failure(_ text: String) -> SourceFailure? { failure(Array(text.utf8)) }
}
