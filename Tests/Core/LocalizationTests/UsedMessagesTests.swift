import Localization
import TestKit
import Testing

/// Tests that the code uses every key, so that translators do not work in vain.
@Suite("Used messages")
struct UsedMessagesTests {
  /// Code with which a source uses keys without naming their enumeration.
  private static let helpers = [
    "HashMessageKey": ".hash(.", "ListMessageKey": ".list(", "ProgressMessageKey": "ProgressBar(of: .",
    "DoctorAdvice": "Finding.typing(", "MatrixMessageKey": "said(.",
  ]

  /// The names in a source: types, members of types, and implicit members (`.tooShort`).
  private struct Names {
    var types: Set<Substring> = []
    var members: Set<String> = []
    var implicit: Set<Substring> = []

    init(_ text: String) {
      for match in text.matches(of: /\b([A-Z]\w+)(?:\.([a-z]\w*))?/) {
        types.insert(match.1)
        if let member = match.2 { members.insert("\(match.1).\(member)") }
      }
      for match in text.matches(of: /(?:^|[^\w)\]?!>}])\.([a-z]\w*)/) { implicit.insert(match.1) }
    }
  }

  @Test("the code outside the list of messages uses every key of every area")
  func used() throws {
    let sources = try SourceFiles.swift(in: "Sources").filter {
      !$0.path.hasPrefix("Sources/Core/Localization/English")
    }
    let names = sources.map { (text: $0.text, names: Names($0.text)) }
    let members = names.reduce(into: Set<String>()) { $0.formUnion($1.names.members) }
    var unused: [String] = []
    // code that iterates over all cases of an area uses its keys by their raw names
    for area in EveryMessage.areas where !members.contains("\(area).allCases") {
      let near = names.filter { source in
        source.names.types.contains("\(area)") || Self.helpers["\(area)"].map(source.text.contains) == true
      }
      unused += Self.cases(of: area).filter { name in
        !members.contains("\(area).\(name)") && !near.contains { $0.names.implicit.contains(name[...]) }
      }.map { "\(area).\($0)" }
    }
    #expect(unused.isEmpty)
  }

  @Test("each helper belongs to an area, and a source uses it", arguments: helpers.keys.sorted())
  func helper(_ area: String) throws {
    #expect(EveryMessage.areas.contains { "\($0)" == area })
    let sources = try SourceFiles.swift(in: "Sources")
    #expect(sources.contains { $0.text.contains(Self.helpers[area] ?? area) })
  }

  private static func cases<Key: MessageKey>(of area: Key.Type) -> [String] { Key.allCases.map { "\($0)" } }
}
