import TestDoubles
import TestKit
import Testing

@Suite("The sources of programs for users", .blocking)
struct SourceTests {
  /// Literals that look like sentences but are not for end users, or are always in English, and the reason. Commands to
  /// type are not checked.
  private static let exceptions: [(path: String, has: String, why: String)] = [
    ("BenchCommand.swift", "a phrase to measure with", "a password"),
    ("ConfigurationChecks.swift", "store.backend: sqlite", "a key and its value"),
    ("ConfigurationChecks.swift", "registration.verification: required", "a key and its value"),
    ("SocketChecks.swift", "socket.group: regd", "a key and its value"),
    ("StoreChecks.swift", "sqlite3", "a command to type"),
    ("StoreChecks.swift", "pg_stat_activity", "a statement to type"),
    ("StoreChecks.swift", "another file", "a part of regd's failure that is searched for"),
    ("StoreChecks.swift", "another program", "the same"), ("StoreChecks.swift", "has not answered", "the same"),
    ("UpstreamChecks.swift", "resolve host", "a part of libcurl's message that is searched for"),
    ("DaemonLook.swift", "Max open files", "a line of /proc/PID/limits"),
    ("ServedStore.swift", "store: {backend:", "lines of a configuration"),
    (
      "MoveSwitch.swift", "the write pause has ended", "a part of a diagnosis of the configuration, which stays English"
    ),
    ("MoveSwitch.swift", "after the move had caught up", "the same"),
    ("MoveSwitch.swift", "the hold is over", "the same, from an earlier version"),
    ("FileBytes.swift", "SQLite format 3", "the first bytes of a database"),
    ("MetricsCommand.swift", "charset=utf-8", "a media type"),
    ("Figures.swift", "min", "units have the same symbols in every language"),
    ("PythonWriter.swift", " ", "a client in another language, whose words are for programmers"),
    ("TypeScriptWriter.swift", " ", "the same"), ("GoWriter.swift", " ", "the same"),
    ("PHPWriter.swift", " ", "the same"),
    ("RegdClient.swift", "the answer to another request", "an answer of a peer other than regd, for debugging"),
  ]

  @Test("the scan finds literals that look like sentences, but no comments, keys or commands")
  func scan() {
    let source = #"""
      // "a comment is none"
      let a = "no sentence"
      let b = "\(name) is not available"
      let c = """
        text of several lines
        """
      let d = "regctl.form"; let e = "Content-Length: 5"  // "nor this one"
      let f = ["two", "words"]; g("\(a(b: "x y")) \(c)")
      """#
    let found = LiteralScan.sentences(ofSource: source, "x").map { "\($0.line)" }
    #expect(found == ["2", "3", "5"])
  }

  @Test(
    "no source contains a sentence that belongs in the catalogue",
    arguments: [
      "Sources/Programs/regctl", "Sources/Programs/regd-login", "Sources/Programs/regd-tools",
      "Sources/Programs/regd-matrix", "Sources/Programs/RegctlCommandLine", "Sources/Programs/UserMessages",
      "Sources/Client",
    ])
  func sentences(_ folder: String) throws {
    for found in try LiteralScan.sentences(in: folder) {
      let isKnown = Self.exceptions.contains { found.path.hasSuffix($0.path) && found.literal.contains($0.has) }
      #expect(isKnown, "\(found)")
    }
  }
}
