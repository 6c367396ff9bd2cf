import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Runs the example site and the README's lines in their languages, which `make deps` installs.
@Suite("The example site", .blocking, .timeLimit(.minutes(20)))
struct ExampleSiteTests {
  @Test(
    "the pages do what Tests/Site specifies, in Python and in Node, with and without regd",
    arguments: ["Accounts", "Forms", "Guards", "Registration", "Start", "Words"])
  func pages(_ promises: String) throws {
    try TemporaryDirectory.with { directory in
      let test = "\(Places.root)/Tests/Site/test_pages.py"
      _ = try Program.run(["env", "REGD=\(Places.regd)", "python3", "-B", test, promises], in: directory)
    }
  }

  @Test(
    "the README's lines for other languages print the reply and exit",
    arguments: [("  # Python", "python3 -c"), ("  # Node", "node -e")])
  func lines(_ mark: String, _ interpreter: String) throws {
    let readme = try #require(Article.named("README")).text.split(separator: "\n")
    let line = try #require(readme.first { $0.hasSuffix(mark.dropFirst(2)) }).dropLast(mark.count)
    try withRegd(["REGD_STORE_BACKEND": "memory"]) { regd in
      let request = #"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"#
      let code = "path = '\(regd.socket)'; request = '\(request)'\n\(line.drop { $0 == " " })"
      // The timeout ends a program that would never exit.
      let words = ["timeout", "120"] + interpreter.split(separator: " ").map(String.init) + [code]
      let said = try Program.run(words, in: regd.directory)
      #expect(said.contains("\"result\":\"pong\""), "\(said)")
    }
  }
}
