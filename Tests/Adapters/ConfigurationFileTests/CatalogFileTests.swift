import Localization
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import ConfigurationFile

@Suite("Catalogue files")
struct CatalogFileTests {
  static let broken: [(yaml: String, line: Int?, key: String?, says: String)] = [
    ("just words", 1, nil, "mapping"), ("- a", 1, nil, "list"),
    ("email:\n  missing: \"x\"", 2, "email", "one level"), ("email.missing: [a, b]", 1, "email.missing", "one level"),
    ("email.missing: {}", 1, "email.missing", "one level"), ("email.missing:", 1, "email.missing", "one level"),
    ("email.missing: ~", 1, "email.missing", "one level"),
    ("# c\nemail.missing: 12", 2, nil, "write it in quotes, \"12\""),
    ("email.missing: yes", 1, nil, "write it in quotes"), ("email.missing: 'x", 1, nil, ""),
    ("email.missing: \"x\"\nemail.missing: \"y\"", 2, nil, "\"email.missing\" appears here a second time"),
    ("email.missing: &a x", 1, nil, "anchors"), ("email.missing: \"x\"\n---\na: b", 2, nil, "second document"),
    ("email.missing: \"\"", 1, "email.missing", "has no text"),
    ("email.missing: \"a\\eb\"", 1, "email.missing", "control character 27"),
    ("\n\nemail.mising: \"x\"", 3, "email.mising", "did you mean \"email.missing\"?"),
    ("email.tooLong: \"{limt} bytes\"", 1, "email.tooLong", "{limt} is unknown: this message has {limit}"),
    ("email.space: \"{limit}\"", 1, "email.space", "this message has none"),
    ("email.tooLong: \"{limit\"", 1, "email.tooLong", "brace"), ("email.tooLong: \"a}\"", 1, "email.tooLong", "brace"),
    ("email.tooLong: \"{ }\"", 1, "email.tooLong", "neither a place"),
    ("email.tooLong: \"{limit, plural, one {x}}\"", 1, "email.tooLong", "lacks its form other"),
    ("email.tooLong: \"{limit, plural, lots {x} other {y}}\"", 1, "email.tooLong", "plural form \"lots\""),
    ("email.tooLong: \"{limit, plural, one {{none}} other {y}}\"", 1, "email.tooLong", "{none} is unknown"),
    (
      "email.tooLong: \"" + String(repeating: "{limit, plural, other {", count: 50_000) + "\"", 1, "email.tooLong",
      "more than 8 nested plurals"
    ),
    (String(repeating: "{a: ", count: 40_000), 1, nil, "more than 16 nested mappings"),
  ]

  @Test("an invalid catalogue is refused with its line and key", arguments: broken.indices)
  func refused(_ index: Int) throws {
    let (yaml, line, key, says) = Self.broken[index]
    let spanish = try #require(LanguageTag("es"))
    func expect(_ problem: CatalogProblem) {
      #expect(problem.line == line && problem.key == key, "\(problem)")
      #expect(problem.message.contains(says), "\(problem)")
    }
    do {
      let (_, problems) = MessageCatalog.read(try CatalogFile.entries(yaml: yaml), as: spanish)
      #expect(problems.count == 1)
      for problem in problems { expect(problem) }
    } catch {
      expect(error)
    }
  }

  @Test("a catalogue may contain a message that a later version has removed")
  func retired() throws {
    let yaml = "email.space: \"x\"\nrpc.parseStructure: \"y\"\nregctl.failure.noSimulator: \"z\""
    let (_, problems) = MessageCatalog.read(try CatalogFile.entries(yaml: yaml), as: try #require(LanguageTag("es")))
    #expect(problems.isEmpty, "\(problems)")
  }

  @Test("every problem of a file is reported, up to a limit", arguments: [(2, 2), (400, 21)])
  func all(count: Int, told: Int) throws {
    let yaml = (0..<count).map { "some.key\($0): \"x\"\n" }.joined()
    let (_, problems) = MessageCatalog.read(try CatalogFile.entries(yaml: yaml), as: try #require(LanguageTag("es")))
    #expect(problems.count == told)
  }

  @Test("a file far larger than any catalogue is refused")
  func large() throws {
    try TemporaryDirectory.with { directory in
      let text = "email.missing: \"x\"\n# "
      let path = "\(directory)/es.yaml"
      try TextFile.write(text + String(repeating: "x", count: CatalogFile.mostBytes - text.utf8.count), to: path)
      #expect(try CatalogFile.entries(path).map(\.text) == ["x"])
      try TextFile.write(text + String(repeating: "x", count: CatalogFile.mostBytes), to: path)
      #expect(throws: CatalogProblem.self) { try CatalogFile.entries(path) }
    }
  }

  @Test(
    "a file whose name is not a language is refused",
    arguments: [
      "es", "es.yml", ".yaml", "e.yaml", "es_MX.yaml", "spanish language.yaml", "es-mx.yaml", "ES.yaml", "a/b",
    ])
  func unnamed(name: String) {
    #expect(throws: CatalogProblem.self) { try CatalogFile.language(of: name) }
  }

  @Test("the name of a catalogue file determines its language", arguments: ["es", "es-MX", "zh-Hant-TW"])
  func named(tag: String) throws {
    #expect(try CatalogFile.language(of: "/etc/regd/messages/\(tag).yaml").description == tag)
  }

  @Test("the reader without libyaml reads the same entries as libyaml")
  func plain() throws {
    let pieces = [
      "a.b: \"x\"", "a.c: 'it''s'", "a.d: 'so'", "a.e: \"\\\"q\\\" \\\\ \\n \\t \\u2068x\\u2069\"", "a.f: \"x\" # c",
      "a.g: \"x\" c",
      "a.h:  \"two\"  ", "a.i: plain", "a.j: \"x", "a.k: \"\\x41\"", "# c", "", " ", "  # c", "a.l: \"é\u{2028}\"",
      "a.m: \"é\u{85}\"", "# c\u{80}",
      "a.n: \"العربية\"", "a.o: |", "  text", "a.b: \"again\"", "a.p : \"x\"", "a.q:\"x\"", "9a: \"x\"", "a.r: \"x\"#c",
      "? a", "a.s: \"\\u0007\"", "a.t: \"\\uD800\"", "\"a.u\": \"x\"", "a.v: \"tab\t\"", "\u{FEFF}a.w: \"x\"", "...",
      "---", "%YAML 1.1",
    ]
    var isRead = 0
    for first in pieces {
      for second in pieces {
        for text in ["\(first)\n\(second)\n", "\(first)\n\(second)"] {
          guard let read = PlainLines.read(text) else { continue }
          isRead += 1
          var reader = EventReader(isCatalog: true)
          try reader.run(text)
          #expect(read.map(\.key) == reader.entries.map { $0.path.joined() }, "\(text)")
          #expect(read.map { .scalar($0.text) } == reader.entries.map(\.value), "\(text)")
          #expect(read.map(\.line) == reader.entries.map(\.line), "\(text)")
        }
      }
    }
    #expect(isRead > 100)
  }

  @Test("a printed catalogue is read back unchanged, without libyaml")
  func printed() throws {
    let texts = ["email.missing": "a \"b\" \\ 'c'\n\u{2068}d\u{2069} {", "email.space": "e"]
    let text = CatalogText.whole(try #require(LanguageTag("ar")), texts: texts)
    let read = try #require(PlainLines.read(text))
    #expect(Dictionary(uniqueKeysWithValues: read.map { ($0.key, $0.text) }) == texts)
    #expect(text.contains("# email.syntax: \"An email"))
    // an editor does not show isolates
    #expect(text.contains("\\n\\u2068d\\u2069 {"))
  }
}
