import ConfigurationFile
import Testing

@Suite("Configuration file")
struct ConfigurationFileTests {
  static let broken: [(yaml: String, line: Int, says: String)] = [
    ("a: [1", 1, "the [ here is not closed by a ]"), ("a: 1\nb: {c: 1\nd: 2", 2, "the { here is not closed by a }"),
    ("a: [", 1, "the [ here is not closed by a ]"), ("b: 1\na: {\n", 2, "the { here is not closed by a }"),
    ("a: {b: \"1\" c: 2}", 1, "or a comma is missing"), ("a: {b: 1}}", 1, "} closes nothing here"),
    ("b: 1\na: 'x\nc: 2", 2, "the quote that opens here is not closed"),
    ("\ta: 1", 1, "there is a tab here; indent with spaces"), ("a:\n  b: 1\n\tc: 2", 3, "there is a tab here"),
    ("a: 1\nb: @x", 2, "a value cannot begin with @; write it in quotes"), ("a: %x", 1, "a value cannot begin with %"),
    ("a: `x`", 1, "a value cannot begin with `"), ("%a: 1", 1, "a line cannot begin with %"),
    ("a:\n   b: 1\n  c: 2", 3, "the indentation of this line differs: align the keys of a section"),
    ("a:\n  b: \"\"\n   c: 2", 3, "the indentation of this line differs"),
    ("a: \"b\" c", 1, "the value ends before this"),
    ("a: \"b\\q\"", 1, "in double quotes \\ begins an escape"), ("a: b: c", 1, "this line has a second colon"),
    ("a: 1\n b: 2", 2, "the previous line is incomplete"), ("a:\n  b \"\"\n  c: 1", 3, "it lacks a colon"),
    ("a: 1\nb\nc: 2", 2, "a colon and a space are missing"), ("a:\n  - b\n  c: d", 3, "this continues a list"),
    ("a: |x\n  y", 1, "nothing may follow |"), ("a: ,", 1, "a value is missing"), (":\n", 1, "a key is missing"),
    ("- a\n- b", 1, "list"), ("just words", 1, "mapping"), ("a:\n  - {b: 1}", 2, "list"), ("a:\n  - [b]", 2, "list"),
    ("a: &x 1\nb: *x", 1, "anchors"), ("a: *x", 1, "aliases"), ("a: 1\n---\nb: 2", 2, "second document"),
    ("a: 1\nb: 2\na: 3", 3, "\"a\" appears here a second time"),
    ("s:\n  x: 1\n  x: 2", 3, "\"s.x\" appears here a second time"), ("[a]: 1", 1, "list"), ("{a: 1}: 2", 1, "key"),
    ("a: 1\nb: \u{1}", 2, "there is a control character here"), ("a:\n  - b\n  - ~", 3, "no value"),
    ("a: [b, null]", 1, "no value"),
    ("a:\n  -\n  - b", 2, "no value"),
  ]

  @Test("reading stops when its task is cancelled, as during a reload when regd stops")
  func cancelled() async {
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        #expect(throws: ConfigurationFile.SyntaxError.self) { try ConfigurationFile(yaml: "a: {b: 1}") }
      }
    }
  }

  @Test("an invalid configuration is refused with its line", arguments: broken.indices)
  func refuses(_ index: Int) {
    let (yaml, line, says) = Self.broken[index]
    do {
      let file = try ConfigurationFile(yaml: yaml)
      Issue.record("read as \(file.entries)")
    } catch {
      #expect(error.line == line, "\(error.message)")
      #expect(says.isEmpty || error.message.contains(says), "\(error.message)")
    }
  }

  @Test("ConfigurationFile returns each key with its path, value and line")
  func entries() throws {
    let file = try ConfigurationFile(
      yaml: """
        # a comment
        socket:   {path: /run/x, mode: "0660"}

        list: [a, 'b c', "3"]
        deep:
          deeper:
            deepest: 5   # another
        empty: {
        }
        nothing:
        null: ~
        text: "null"
        """)
    let expected: [(String, ConfigurationFile.Value, Int)] = [
      ("socket.path", .scalar("/run/x"), 2), ("socket.mode", .scalar("0660"), 2),
      ("list", .list(["a", "b c", "3"]), 4), ("deep.deeper.deepest", .scalar("5"), 7),
      ("empty", .nothing, 8), ("nothing", .nothing, 10), ("null", .nothing, 11),
      ("text", .scalar("null"), 12),
    ]
    #expect(file.entries.map { $0.path.joined(separator: ".") } == expected.map(\.0))
    #expect(file.entries.map(\.value) == expected.map(\.1))
    #expect(file.entries.map(\.line) == expected.map(\.2))
    #expect(file.entries.filter(\.isNull).map(\.path) == [["null"]])
  }

  @Test("an empty file is a valid configuration", arguments: ["", "\n", "# only a comment\n", "---\n"])
  func nothing(_ yaml: String) throws {
    #expect(try ConfigurationFile(yaml: yaml).entries.isEmpty)
  }
}
