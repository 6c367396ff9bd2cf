import RegdClient
import TestKit
import Testing

@testable import regd_manual

@Suite("Reference of methods and keys", .blocking, .timeLimit(.minutes(10)))
struct ReferenceTests {
  @Test("the article on methods is the one that make reference writes")
  func article() throws {
    let document = try MethodDocument(regd: Places.regd, configuration: Places.configuration)
    let isSame = try Article.file(MethodReference.path) == MethodReference(document).markdown()
    #expect(isSame, "run make reference")
  }

  private static func document(_ method: String) throws -> MethodDocument {
    let text = """
      {"openrpc":"1","info":{"version":"1"},"methods":[\(method)],"components":{
      "schemas":{"R":{"properties":{"a":{},"b":{}}}},
      "errors":{"x.y":{},"store.full":{},"store.unavailable":{}}}}
      """
    return MethodDocument(try #require(JSONValue(text.utf8)))
  }

  private func section(_ method: String) throws -> String {
    let text = try MethodReference(Self.document(method)).markdown()
    return String(try #require(text.firstRange(of: "### ").map { text[$0.lowerBound...] }))
  }

  @Test("a section has a sentence, parameters, a request with its reply, and errors")
  func whole() throws {
    let text = try section(
      """
      {"name":"account.get","summary":"Returns *an* account.","x-access":"admin","x-repeatable":"yes",
      "params":[{"name":"id","summary":"The id.","required":true,"schema":{"type":"string","format":"uuid"}},
      {"name":"n","summary":"A number.","required":false,"schema":{"type":["string","number","null"]}}],
      "examples":[{"params":[{"name":"id","value":"x"}],"result":{"name":"result","value":{"a":1}}}],
      "result":{"schema":{"$ref":"#/components/schemas/R"}},
      "errors":[{"message":"store.unavailable"},{"message":"store.full"},{"message":"x.y"}]}
      """)
    #expect(
      text == #"""
        ### account.get

        Returns \*an\* account. Only administrators may call this method. The request may be repeated.

        - `id` (UUID): The id.
        - `n` (string or number, optional): A number.

        ```text
        -> {"jsonrpc":"2.0","id":1,"method":"account.get","params":{"id":"x"}}
        <- {"jsonrpc":"2.0","id":1,"result":{"a":1}}
        ```

        The result can also contain `b`.

        Errors: `store.*`, `x.y`.

        """#)
  }

  @Test("a section without an example outlines the document, and a prefix replaces only all of its reasons")
  func bare() throws {
    let text = try section(
      #"{"name":"rpc.discover","summary":"S.","x-access":"observe","errors":[{"message":"store.full"}]}"#)
    #expect(
      text == """
        ### rpc.discover

        S. Only observers and administrators may call this method.

        ```text
        -> {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}
        <- {"jsonrpc":"2.0","id":1,"result":{"openrpc":"1","info":{…},
             "methods":[…],"components":{…}}}
        ```

        Errors: `store.full`.

        """)
  }

  @Test("a method that belongs to no area is reported")
  func lost() throws {
    let document = try Self.document(#"{"name":"lost.method"}"#)
    #expect(throws: ManualFailure(description: "the method lost.method belongs to no area of MethodArea.all")) {
      try MethodReference(document).markdown()
    }
  }

  @Test("the article on keys is the one that make reference writes")
  func keys() throws {
    let yaml = try #require(Article.file("Config/regd.yaml"))
    let reloads = try #require(Article.file(ConfigurationReference.reloads))
    let isSame =
      Article.file(ConfigurationReference.path) == ConfigurationReference(yaml: yaml, article: reloads).markdown()
    #expect(isSame, "run make reference")
  }

  @Test("the PAM module's table of reasons is the one that make reference writes")
  func pam() throws {
    let isSame = try #require(Article.file(PamReasons.path)) == PamReasons.header()
    #expect(isSame, "run make reference")
  }

  @Test("an entry has a key's effect, type, default and names, and a section whether a reload applies changes")
  func entry() throws {
    let yaml = """
      # What it costs.
      hashing:
        memoryKiB: 19456              # memory of one hash,
                                      # in KiB
      log:
        level: "info"
        names: []                     # 0: none
      """
    let article = """
      # Configuration

      ## Reload

      | section | live | what a reload does |
      |---|---|---|
      | `hashing` | no | |
      | `log` | yes | |
      """
    let text = ConfigurationReference(yaml: yaml, article: article).markdown()
    let start = try #require(text.firstRange(of: "## Section"))
    #expect(
      text[start.lowerBound...] == """
        ## Section hashing

        What it costs.

        A change needs a restart.

        ### hashing.memoryKiB

        Memory of one hash, in KiB.

        - number, default `19456`
        - option `--hashing-memoryKiB`, variable `REGD_HASHING_MEMORY_KI_B`, credential `hashing-memoryKiB`

        ## Section log

        A reload applies changes.

        ### log.level

        - string, default `"info"`
        - option `--log-level`, variable `REGD_LOG_LEVEL`, credential `log-level`

        ### log.names

        0: none

        - list, default `[]`
        - option `--log-names`, variable `REGD_LOG_NAMES`, credential `log-names`

        """)
  }

  @Test("JSON is wrapped only after commas between values, and never in a string")
  func wrapping() throws {
    let long = String(repeating: "a, ", count: 30)
    let value = JSONValue.object([.init("a", .string(long)), .init("b", .string("\\\",")), .init("c", .null)])
    #expect(
      WrappedJSON.lines(of: value.text, after: "-> ") == #"""
        -> {"a":"\#(long)",
             "b":"\\\",","c":null}
        """#)
  }
}
