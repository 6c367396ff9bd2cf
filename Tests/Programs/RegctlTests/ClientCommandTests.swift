import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// The clients that `regctl client` prints. `make interop` checks and uses them in every language.
@Suite("regctl client", .blocking, .timeLimit(.minutes(5)))
struct ClientCommandTests {
  private static let noRegd = "/nonexistent/socket"

  @Test("regctl and regd have the same table of methods")
  func document() throws {
    let (status, printed) = try Shell.run("$regctl client openrpc", Self.noRegd)
    #expect(status == 0)
    try withRegd { regd in
      let answered = try regd.client().call("rpc.discover").get()
      #expect(JSONValue(printed.utf8) == answered)
    }
  }

  @Test(
    "a client contains every method, except those that it calls by itself, and every reason",
    arguments: ["python", "typescript", "go", "php"])
  func whole(_ language: String) throws {
    let (_, printed) = try Shell.run("$regctl client openrpc", Self.noRegd)
    let document = try #require(JSONValue(printed.utf8))
    let (status, client) = try Shell.run("$regctl client \(language)", Self.noRegd)
    #expect(status == 0)
    let names = (document["methods"]?.array ?? []).compactMap { $0["name"]?.string }
    let unseen = names.filter { !client.contains("\"\($0)\"") && !client.contains("'\($0)'") }
    #expect(unseen == ["$/cancelRequest", "events.unsubscribe"])
    guard case .object(let errors)? = document["components"]?["errors"] else {
      Issue.record("no errors")
      return
    }
    for error in errors {
      #expect(client.contains("\"\(error.name)\"") || client.contains("'\(error.name)'"), "\(error.name)")
    }
    #expect(!client.contains("@@") && !client.contains("regd: begin") && !client.contains("regd: end"))
    let (_, json) = try Shell.run("$regctl client \(language) --json", Self.noRegd)
    #expect(JSONValue(json.utf8)?["text"]?.string == client)
  }

  @Test(
    "each line of the sample code in a client's file is also a line of the client",
    arguments: zip(["python", "typescript", "go", "php"], ["regd.py", "regd.ts", "regd.go", "regd.php"]))
  func samples(_ language: String, _ file: String) throws {
    // gofmt aligns the columns of fewer lines differently
    func words(_ line: Substring) -> String { line.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    let (_, client) = try Shell.run("$regctl client \(language)", Self.noRegd)
    let lines = Set(client.split(separator: "\n").map(words))
    let text = try #require(Article.file("Sources/Client/ClientFiles/\(file)"))
    var isInRegion = false
    for line in text.split(separator: "\n") {
      if line.contains(" regd: begin ") {
        isInRegion = true
      } else if line.contains(" regd: end") {
        isInRegion = false
      } else if isInRegion {
        #expect(lines.contains(words(line)), "\(line)")
      }
    }
    #expect(!isInRegion)
  }

  private static let hasPython = FileSystem.exists("/usr/bin/python3") || ThisProcess.variable("CI") != nil

  @Test(
    "a program registers an account, names it and removes the name with the Python client",
    .enabled(if: hasPython, "needs Debian's python3, which make deps installs"))
  func python() throws {
    let program = """
      import regd, sys
      with regd.Client(timeout=60) as client:
          entry = dict(email="you@example.com", password="a fine phrase", password_confirmation="a fine phrase")
          print(client.registration.register(**entry)["account"]["state"])
          try:
              client.registration.register(**entry)
          except regd.RegdError as error:
              print(error.reason is regd.Reason.EMAIL_TAKEN, error.retryable)
          owner = dict(email="you@example.com", password="a fine phrase")
          print(client.owner.set_display_name(**owner, display_name="Ada")["account"]["displayName"])
          print("displayName" in client.owner.set_display_name(**owner, display_name=None)["account"])
          print(len(client.audit.consistency(from_=1, to=client.audit.head()["size"])["path"]))
      """
    try withRegd { regd in
      // in a separate directory, because regd's directory is searched for passwords
      let (status, output) = try TemporaryDirectory.with { directory in
        try TextFile.write(program, to: "\(directory)/program.py")
        return try Shell.run(
          "$regctl client python >regd.py && PYTHONDONTWRITEBYTECODE=1 timeout 120 /usr/bin/python3 program.py",
          regd.socket, in: directory)
      }
      #expect(status == 0 && output == "active\nTrue False\nAda\nFalse\n2\n", "\(output)")
    }
  }
}
