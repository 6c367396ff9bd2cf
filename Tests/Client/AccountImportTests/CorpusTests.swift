import Linux
import RegdProcesses
import Registration
import TestKit
import Testing

@testable import AccountImport
@testable import PasswordHashing

/// Small files in the shapes that real tools write, in the folder `Corpus`. Beside each file, `NAME.expected` contains
/// the options and the result of each record:
///
///     # where the file comes from
///     from: devise
///     unproven: disabled
///     no-password: yes
///     2 active ann@example.org 2024-05-01T09:01:00 bcrypt
///     3 account.unproven bob@example.org
///
/// Groups, the display name and the groups that are left out follow, if there are any: `in staff`, `named Ann`, `not in Staff`.
///
/// A new file with its expected results is a new case. All passwords are "made-up one" or unknown.
@Suite("The corpus of exports", .timeLimit(.minutes(5)))
struct CorpusTests {
  static let root = "\(Places.root)/Tests/Client/AccountImportTests/Corpus"

  /// All files of the corpus, as paths below `root`.
  static let files: [String] = ((try? FileSystem.names(in: root)) ?? []).sorted().flatMap { folder in
    ((try? FileSystem.names(in: "\(root)/\(folder)")) ?? []).sorted().map { "\(folder)/\($0)" }
  }

  static let exports = files.filter { !$0.hasSuffix(".expected") }

  @Test("every file has expected results, and all expected results have a file")
  func complete() {
    #expect(Self.exports.count > 40)
    #expect(Set(Self.files.filter { $0.hasSuffix(".expected") }) == Set(Self.exports.map { "\($0).expected" }))
  }

  @Test("each record has the expected result", arguments: exports)
  func results(_ file: String) throws {
    let lines = try FileReading.text("\(Self.root)/\(file).expected", atMost: 65_536).split(separator: "\n")
    var options: [Substring: Substring] = [:]
    var expected: [String] = []
    for line in lines where !line.hasPrefix("#") {
      guard let colon = line.firstRange(of: ": "), line.first?.isNumber == false else {
        expected.append(String(line))
        continue
      }
      options[line[..<colon.lowerBound]] = line[colon.upperBound...]
    }
    let system = try #require(ForeignSystem(rawValue: String(options["from"] ?? "")))
    var reading = Reading(system, unproven: options["unproven"].flatMap { Account.State(rawValue: String($0)) })
    reading.options.withoutPasswords = options["no-password"] == "yes"
    reading.hashes = PasswordHashFormat(keys: .assumed)
    let found = try reading.records(FileReading.bytes("\(Self.root)/\(file)")).map { Self.line($0.record, $0.place) }
    #expect(found == expected)
  }

  private static func line(_ record: ForeignRecord, _ place: RecordPlace) -> String {
    switch record {
    case .passedOver: return "\(place.line) passed over"
    case .refused(let refusal, let name): return "\(place.line) \(refusal.reason) \(name ?? "-")"
    case .account(let account):
      let time = account.createdAt.map { String($0.rfc3339.prefix(19)) } ?? "-"
      let family = account.hasPassword ? HashFamily.name(account.passwordHash) ?? "?" : "none"
      return "\(place.line) \(account.state.rawValue) \(account.email) \(time) \(family)\(Reading.extras(of: account))"
    }
  }
}
