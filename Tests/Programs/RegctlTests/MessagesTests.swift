import Linux
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// `regctl messages`, which needs no regd.
@Suite("regctl messages", .blocking, .timeLimit(.minutes(5)))
struct MessagesTests {
  private func run(_ arguments: [String], _ files: [String: String] = [:]) throws -> (status: Int32, output: String) {
    try TemporaryDirectory.with { directory in
      for (name, text) in files { try TextFile.write(text, to: "\(directory)/\(name)") }
      return try RegdProcess.run(
        program: Places.regctl,
        arguments: ["messages"] + arguments.map { files[$0] == nil ? $0 : "\(directory)/\($0)" },
        environment: ["LC_ALL": "C", "REGD_MESSAGES_DIRECTORY": directory], directory: directory)
    }
  }

  @Test("an entry that regd would refuse is an error with its file, line and key, and causes exit status 1")
  func errors() throws {
    let files = ["es.yaml": "email.mising: \"x\"\nemail.space: \"{x}\"", "fr.yaml": "- a", "es_MX.yaml": ""]
    let (status, output) = try run(["check", "es.yaml", "fr.yaml", "es_MX.yaml"], files)
    #expect(status == 1)
    for says in [
      "es.yaml:1: error: email.mising: unknown; did you mean \"email.missing\"?",
      "es.yaml:2: error: email.space: {x} is unknown", "fr.yaml:1: error: ",
      "es_MX.yaml: error: must be named after a language",
      "es.yaml: warning: ",
    ] { #expect(output.contains(says), "\(output)") }
  }

  @Test("an incomplete text is a warning with exit status 0, also as JSON")
  func warnings() throws {
    let files = ["ru.yaml": "email.tooLong: \"{limit, plural, one {#} other {#}}\""]
    let (status, output) = try run(["check", "ru.yaml"], files)
    #expect(status == 0)
    #expect(output.contains("ru.yaml:1: warning: email.tooLong: the plural of {limit} lacks few, many"), "\(output)")
    #expect(output.contains(" keys have no text: "), "\(output)")
    let json = try run(["check", "--json", "ru.yaml"], files).output
    #expect(json.contains(#""errors":[],"warnings":[{"line":1,"key":"email.tooLong","message":"#), "\(json)")
    #expect(json.contains(#""missing":["#), "\(json)")
  }

  @Test("regctl messages print prints a whole catalogue, with missing texts as comments in English")
  func printed() throws {
    let (status, output) = try run(["print", "tlh"], ["tlh.yaml": "email.space: \"x\""])
    #expect(status == 0)
    #expect(
      output.contains("\nemail.space: \"x\"\n") && output.contains("\n# email.missing: \"Enter an email"), "\(output)")
    #expect(try run(["print"]).output == Article.file("Config/messages/en.yaml"))
    #expect(try run(["print", "not a language"]).status == 2)
  }
}
