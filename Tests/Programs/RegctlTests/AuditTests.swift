import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// `regctl audit` with a daemon that answers from a script, and with regd. `Tests/Audit/run` changes the database of a regd.
@Suite("regctl audit", .blocking, .timeLimit(.minutes(10)))
struct AuditTests {
  private static let events = #"""
    {"events":[{"event":"account.registered","time":"2026-11-29T02:33:10.139707Z","entry":1,"account":"a1","uid":0,\#
    "email":"n1@example.com","commitment":"jp9GxZpSkbBVghdoHUThm5Iy3rrT6v3LvB7UNLXTVfs=",\#
    "salt":"AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="},{"event":"account.registered",\#
    "time":"2026-11-29T02:33:10.139707Z","entry":2,"account":"a2","uid":0,"email":"n2@example.com",\#
    "commitment":"lyNb6NrfTiNwXXJSj/Ml+mdc45KvT7lWJPfjESNuXdI=",\#
    "salt":"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="}]}
    """#
  private static let oneHead = #"""
    {"size":1,"root":"/Mbqz6dh2XKGpg1gWG7MEb1TT0k/piJ5DaL605BSQIs=","time":"2026-11-29T02:33:10.139707Z",\#
    "key":"SAdaWX5yGhVuLgeZ3lzAxTJNxufq8c3UYlCGjsUyFd0=",\#
    "signature":"epuSh5N7FD/M5mm2uP9M+p2P8PMBDGryZiczwPRC0uBY5Ch7HmKwjfific4MDC2vMquIjQvPyxyV0LFQ60FzAw=="}
    """#
  private static let head = #"""
    {"size":2,"root":"AmxY8V0i9EFuh8J3lTAJnw8/XbBuex1vsMGEckumOZw=","time":"2026-11-29T02:33:10.139707Z",\#
    "key":"SAdaWX5yGhVuLgeZ3lzAxTJNxufq8c3UYlCGjsUyFd0=",\#
    "signature":"2J4BukpuCXztSgPSjc747GHZ4J9jB47KHRQsRfDyDNPZn+hXAq6NoiqcLAlOEdr/ALvukdeYhwcinUcSBJvHBQ=="}
    """#
  /// The head of an empty audit, signed with another key.
  private static let emptyHead = #"""
    {"size":0,"root":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=","time":"2026-11-29T02:33:10.139707Z",\#
    "key":"O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=",\#
    "signature":"FBHJcVd5aufW7nt/6tPCvg1chpZ86AFp4rY1XBrr/66fyKoC6NIVs59bH14gZRXGkSx0sCgCYvV9X/U8SrSSCw=="}
    """#
  private static let first = #"""
    {"index":0,"leaf":"{\"account\":\"a1\",\"commitment\":\"jp9GxZpSkbBVghdoHUThm5Iy3rrT6v3LvB7UNLXTVfs=\",\#
    \"entry\":1,\"event\":\"account.registered\",\"time\":\"2026-11-29T02:33:10.139707Z\",\"uid\":0}",\#
    "path":["JBFjpN+bmb2XnrWCGPW3nLletmKAVVhRSa1Rc9y8Xuc="]}
    """#
  private static let second = #"""
    {"index":1,"leaf":"{\"account\":\"a2\",\"commitment\":\"lyNb6NrfTiNwXXJSj/Ml+mdc45KvT7lWJPfjESNuXdI=\",\#
    \"entry\":2,\"event\":\"account.registered\",\"time\":\"2026-11-29T02:33:10.139707Z\",\"uid\":0}",\#
    "path":["/Mbqz6dh2XKGpg1gWG7MEb1TT0k/piJ5DaL605BSQIs="]}
    """#
  private static let firstOfOne = #"""
    {"index":0,"leaf":"{\"account\":\"a1\",\"commitment\":\"jp9GxZpSkbBVghdoHUThm5Iy3rrT6v3LvB7UNLXTVfs=\",\#
    \"entry\":1,\"event\":\"account.registered\",\"time\":\"2026-11-29T02:33:10.139707Z\",\"uid\":0}","path":[]}
    """#
  private static let consistency = #"{"path":["JBFjpN+bmb2XnrWCGPW3nLletmKAVVhRSa1Rc9y8Xuc="]}"#

  private static let verifier = "\(Places.root)/Config/audit/verify.py"

  /// Runs a command of `regctl audit` with a daemon that returns these results, one for each request.
  private func run(_ command: String, _ results: String..., lines: [String] = []) throws -> (Int32, String) {
    try play("$regctl audit \(command)", results, lines: lines)
  }

  private func play(_ command: String, _ results: [String], lines: [String]) throws -> (Int32, String) {
    var output: (Int32, String) = (-1, "")
    try PlayedDaemon.with([results.map { "\"result\":\($0)" }]) { socket, directory in
      try TextFile.write(lines.map { $0 + "\n" }.joined(), to: "\(directory)/heads")
      output = try Shell.run("\(command) 2>&1", socket, in: directory)
    }
    return output
  }

  @Test(
    "a wrong command line causes an error without a connection to regd",
    arguments: [
      ("", 0, "SUBCOMMANDS"), ("nonsense", 2, "nonsense"), ("prove", 2, "Missing expected argument"),
      ("prove x", 2, "x"), ("head --append", 2, "Missing value"), ("verify x", 2, "Unexpected argument"),
    ])
  func usage(_ arguments: String, _ status: Int32, _ says: String) throws {
    let (found, output) = try Shell.run("$regctl audit \(arguments) 2>&1", "/nonexistent/s")
    #expect(found == status && output.contains(says), "\(output)")
  }

  @Test("a result that is not a head is neither printed nor stored")
  func noHead() throws {
    let (status, output) = try run("head --append new; ls new 2>/dev/null | wc -l", "{\"size\":1}")
    #expect(status == 0 && output.contains("the result of audit.head") && output.hasSuffix("\n0\n"), "\(output)")
  }

  @Test("a head is printed and appended as regd sent it")
  func head() throws {
    let (status, output) = try run("head --append heads && cat heads", Self.head, lines: [Self.oneHead])
    #expect(status == 0 && output == "\(Self.head)\n\(Self.oneHead)\n\(Self.head)\n", "\(output)")
  }

  @Test("entries that fit every head are verified, and without heads regctl asks for a file of heads")
  func verified() throws {
    let (status, output) = try run(
      "verify --heads heads", Self.head, Self.events, Self.head, lines: [Self.oneHead, Self.head])
    #expect(status == 0 && output.contains("2 entries fit the present head and 2 earlier heads\n"), "\(output)")
    let (other, alone) = try run("verify", Self.head, Self.events, Self.head)
    #expect(other == 0 && alone.contains("give a file of heads with --heads"), "\(alone)")
    let (third, json) = try run(
      "verify --heads heads --json", Self.head, Self.events, Self.head, lines: [Self.head])
    let root = "AmxY8V0i9EFuh8J3lTAJnw8/XbBuex1vsMGEckumOZw="
    let expected = #"{"entries":2,"root":"\#(root)","heads":1,"keyChanges":[],"differences":[]}"#
    #expect(third == 0 && json == "\(expected)\n", "\(json)")
  }

  @Test("a new key is not a difference, and is reported with its line")
  func newKey() throws {
    let lines = [Self.emptyHead, Self.head]
    let (status, output) = try run("verify --heads heads", Self.head, Self.events, Self.head, lines: lines)
    let change = "the key changes at the head in line 2: SAdaWX5yGhVuLgeZ3lzAxTJNxufq8c3UYlCGjsUyFd0=\n"
    #expect(status == 0 && output.contains(change), "\(output)")
  }

  @Test("verify.py has at most 150 lines, needs only Python's standard library, and reports a new key with its line")
  func verifier() throws {
    let text = try #require(TextFile.read(Self.verifier))
    let lines = text.count { $0 == "\n" }
    #expect(lines <= 150)
    // without `site`, which -S leaves out, Python finds no other packages, such as cryptography
    let (status, output) = try play(
      "python3 -S \(Self.verifier) --heads heads", [Self.events, Self.head], lines: [Self.emptyHead, Self.head])
    let change = "heads:2: the key changes to 'SAdaWX5yGhVuLgeZ3lzAxTJNxufq8c3UYlCGjsUyFd0='\n"
    let rest = "2 entries, 2 heads; signatures not checked (python3-cryptography)\n"
    #expect(status == 0 && output == change + rest, "\(output)")
    let changed = Self.events.replacing("n2@example.com", with: "m2@example.com")
    let (other, difference) = try play("python3 -S \(Self.verifier)", [changed, Self.head], lines: [])
    #expect(other == 1 && difference.contains("entry 2: the address and the origin do not fit"), "\(difference)")
  }

  @Test("verify.py does not report a difference because of a line that it cannot read")
  func unreadable() throws {
    for line in ["", "{}", "1e999", String(repeating: "[", count: 100_000)] {
      let (status, output) = try play(
        "python3 -S \(Self.verifier) --heads heads", [Self.events, Self.head], lines: [Self.head, line])
      #expect(status == 5 && output.contains("not verified: heads:2: there is no head\n"), "\(output.suffix(500))")
    }
  }

  @Test("verify.py prints a key, an error and a number of regd without control characters")
  func harmless() throws {
    let line = Self.emptyHead.replacing("O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=", with: "\\u001b[2J")
    let (status, output) = try play(
      "python3 -S \(Self.verifier) --heads heads", [Self.events, Self.head], lines: [Self.head, line])
    #expect(status == 0 && output.contains(#"heads:2: the key changes to '\x1b[2J'"#), "\(output)")
    let error = #""error":{"code":1,"message":"\u001b[2J","data":{"reason":"\u001b[1m","retryable":false}}"#
    try PlayedDaemon.with([[error]]) { socket, _ in
      let (other, failure) = try Shell.run("python3 -S \(Self.verifier) 2>&1", socket)
      #expect(other == 5 && failure == #"not verified: '\x1b[2J' ('\x1b[1m')"# + "\n", "\(failure)")
    }
    // the entries from which verify.py takes the number that it prints are read a second time
    let changed = Self.events.replacing("\"account\":\"a2\"", with: "\"account\":\"b2\"")
    let second = changed.replacing("\"entry\":2", with: "\"entry\":\"\\u001b[2J\"")
    let (third, difference) = try play(
      "python3 -S \(Self.verifier)", [changed, Self.head, Self.first, second, Self.first, Self.second], lines: [])
    #expect(third == 1 && difference.contains("the entries do not have the root of audit.head\n"), "\(difference)")
    #expect(!difference.contains("\u{1b}"))
  }

  @Test("a changed entry, a head that does not fit and a changed address are reported with exit status 1")
  func differs() throws {
    let changed = Self.events.replacing("\"account\":\"a2\"", with: "\"account\":\"b2\"")
    let (status, output) = try run(
      "verify", Self.head, changed, Self.head, Self.first, changed, Self.first, Self.second)
    #expect(status == 1 && output.contains("entry 2 differs from the entry in the tree\n"), "\(output)")
    let (other, cut) = try run(
      "verify --heads heads --json", Self.oneHead, Self.one, Self.oneHead, lines: [Self.oneHead, Self.head])
    let expected = #""differences":[{"kind":"cutOff","line":2,"size":2,"entries":1,"message":"#
    #expect(other == 1 && cut.contains(expected), "\(cut)")
    let (third, address) = try run(
      "verify", Self.head, Self.events.replacing("n2@example.com", with: "m2@example.com"), Self.head)
    #expect(third == 1 && address.contains("entry 2: the address or the origin is not the one"), "\(address)")
  }

  /// The page with only the first entry.
  private static let one = String(events.prefix { $0 != "}" }) + "}]}"

  @Test("a verification that cannot be completed ends with exit status 5")
  func notVerified() throws {
    let (status, output) = try run(
      "verify --heads heads", Self.head, Self.events, Self.head, lines: [Self.oneHead, "nonsense"])
    #expect(status == 5 && output.contains("heads: line 2 is not a head"), "\(output)")
    let (other, empty) = try run("verify --heads heads", Self.head, Self.events, Self.head)
    #expect(other == 5 && empty.contains("heads contains no head"), "\(empty)")
    let (third, result) = try run("verify", Self.head, "{}")
    #expect(third == 5 && result.contains("the result of events.list"), "\(result)")
    try Shell.check(
      [
        ("$regctl audit verify", 5, "cannot connect"), ("$regctl audit verify --heads /nonexistent", 5, "No such file"),
        ("$regctl audit head", 3, "cannot connect"),
      ], "/nonexistent/s")
  }

  @Test("a proof is printed, and checked against the present head, also through a smaller tree")
  func proved() throws {
    let (status, output) = try run("prove 1", Self.head, Self.first, Self.head)
    #expect(status == 0 && output.hasPrefix("\(Self.first)\nverified: the tree with 2 entries"), "\(output)")
    let (other, smaller) = try run("prove 1 --size 1 --json", Self.firstOfOne, Self.head, Self.consistency)
    #expect(other == 0 && smaller == "\(Self.firstOfOne)\n", "\(smaller)")
    let lies: [[String]] = [
      ["prove 1", Self.head, Self.second, Self.head],
      ["prove 1", Self.head, Self.first.replacing("a1", with: "b1"), Self.head],
      ["prove 1 --size 1", Self.firstOfOne, Self.head, #"{"path":[]}"#],
    ]
    for lie in lies {
      var (status, output): (Int32, String) = (-1, "")
      try PlayedDaemon.with([lie.dropFirst().map { "\"result\":\($0)" }]) { socket, _ in
        (status, output) = try Shell.run("$regctl audit \(lie[0]) 2>&1", socket)
      }
      #expect(status == 1 && output.contains("the proof does not show that"), "\(output)")
    }
  }

  @Test("regd's own audit fits a head of the past after an account was deleted, and its entries can be proved")
  func ofRegd() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl audit verify", 0, "0 entries fit the present head"),
          ("$regctl audit prove 1", 1, "rpc.invalidParams"),
          ("echo 'a fine phrase' | $regctl register a@example.com --password-stdin", 0, "registered"),
          ("$regctl account disable a@example.com", 0, "disabled"),
          ("$regctl audit head --append heads", 0, "\"size\":2"),
          ("$regctl account delete --yes a@example.com", 0, "deleted"),
          ("$regctl audit verify --heads heads", 0, "3 entries fit the present head and 1 earlier head"),
          ("$regctl audit prove 1", 0, "verified"), ("$regctl audit prove 2 --size 2", 0, "verified"),
          ("$regctl audit prove 3 --size 2", 1, "rpc.invalidParams"),
          ("$regctl events --list --json | head -n 1", 0, "\"commitment\":\""),
          ("python3 \(Self.verifier) --heads heads", 0, "3 entries, 1 heads"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("heads that several processes append at once are all in the file, each whole")
  func atOnce() throws {
    try withRegd { regd in
      let append = "$regctl audit head --append heads >/dev/null"
      try Shell.check(
        [
          ("for i in $(seq 16); do \(append) & done; wait; wc -l <heads", 0, "16\n"),
          ("$regctl audit verify --heads heads", 0, "0 entries fit the present head and 16 earlier heads"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("in another language, every word of the output is translated")
  func marked() throws {
    try withRegd { regd in
      let (_, output) = try MarkedRegctl.run(
        """
        $regctl audit head --append heads >head; $regctl audit verify --heads heads; $regctl audit verify
        $regctl audit verify --heads /nonexistent; echo x >heads; $regctl audit verify --heads heads
        """, regd.socket)
      let rest = MarkedCatalog.unmarked(output).replacing("regctl: ", with: "")
      let words = rest.split { !$0.isLetter }.filter { $0.count > 2 }
      #expect(words.isEmpty, "\(words): \(output)")
      #expect(output.contains("earlier head"), "\(output)")
    }
  }
}
