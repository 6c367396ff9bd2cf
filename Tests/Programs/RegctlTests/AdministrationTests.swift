import Glibc
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl for administrators", .blocking, .timeLimit(.minutes(10)))
struct AdministrationTests {
  private let hash = "$2b$04$abcdefghijklmnopqrstuuuQv9h8w1xJcWqEGrJ8KqkZJ8oG1r5aW"

  @Test("regctl account shows, lists, disables, enables and deletes accounts, and reports errors")
  func accounts() throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("$regctl account get nobody@example.com", 1, "account.notFound"),
          ("$regctl account get 5", 1, "rpc.invalidParams"), ("$regctl account get", 2, "Missing expected argument"),
          ("$regctl account delete nobody@example.com </dev/null", 1, "was not deleted; use --yes"),
          ("$regctl account list", 0, ""), ("$regctl account list --limit x", 2, "limit"),
          (
            "echo 'a fine phrase' | $regctl register a@example.com --request-id one --password-stdin", 0,
            "registered a@example.com as"
          ),
          (
            "echo 'a fine phrase' | $regctl register a@example.com --request-id one --password-stdin", 0,
            "registered a@example.com as"
          ),
          (
            "echo 'another phrase' | $regctl register a@example.com --request-id one --password-stdin", 1,
            "request.conflict"
          ),
          ("$regctl account get a@example.com", 0, "state: active"),
          ("$regctl account disable a@example.com", 0, "disabled a@example.com"),
          ("echo 'a fine phrase' | $regctl sign-in a@example.com --password-stdin", 1, "account.disabled"),
          ("$regctl account list", 0, "  disabled  "), ("$regctl account list --json", 0, "\"state\":\"disabled\""),
          ("$regctl account enable a@example.com", 0, "enabled a@example.com"),
          ("echo short | $regctl account set-password a@example.com --password-stdin", 1, "password.tooShort"),
          (
            "echo 'a new phrase' | $regctl account set-password a@example.com --password-stdin", 0,
            "set the password of"
          ),
          ("echo 'a new phrase' | $regctl sign-in a@example.com --password-stdin", 0, "signed in"),
          ("$regctl account delete a@example.com --yes", 0, "deleted a@example.com"),
          ("$regctl account get a@example.com", 1, "account.notFound"),
          ("$regctl events --list", 0, "account.passwordSet  a@example.com"),
          ("$regctl events --list --json --after 2", 0, "\"event\":\"account.enabled\""),
          ("$regctl metrics", 0, "# EOF"),
          ("$regctl metrics --json >/dev/full", 1, "cannot write to standard output"),
          ("$regctl metrics >/dev/full", 1, "cannot write to standard output"),
          ("$regctl events --list >/dev/full", 1, "cannot write to standard output"),
          ("$regctl status", 0, "breached passwords: not refused, because no list is configured"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("regctl import reports each bad line by its number, and imports the others, also when it is repeated")
  func importing() throws {
    try withRegd { regd in
      let long = String(repeating: "x", count: 70_000)
      let lines = [
        "{\"email\":\"a@example.com\",\"passwordHash\":\"\(hash)\"}", "no JSON", "", "{\"email\":\"b@example\"}\r",
        "{\"email\":\"\(long)\"}", "[1]", "{\"email\":{\"a\":1}}",
        "{\"email\":\"c@example.com\",\"passwordHash\":\"\(hash)\"}\r",
        "{\"email\":\"A@example.com\",\"passwordHash\":\"x\"}", "{\"mail\":\"x\"}",
        "{\"email\":\"d@example.com\",\"passwordHash\":\"\(hash)\"}",
      ]
      // the last line has no line feed
      try TextFile.write(lines.joined(separator: "\n"), to: "\(regd.directory)/in")
      for _ in 0..<2 {
        let (status, output) = try Shell.run("$regctl import in", regd.socket, in: regd.directory)
        #expect(status == 1)
        let told = output.split(separator: "\n").filter { $0.contains("in:") }
        let numbers = told.map { line in
          line.split(separator: ":").dropFirst(2).first.map(String.init) ?? "?"
        }
        #expect(numbers == ["2", "4", "5", "6", "7", "9", "10"], "\(output)")
        #expect(output.contains("imported 3, refused 7"))
      }
      try Shell.check(
        [
          ("$regctl import in --from-line 11", 0, "imported 1, refused 0"),
          ("tail -n 1 in | $regctl import - --json", 0, "{\"imported\":1,\"refused\":0}"),
          (
            "{ printf '\\357\\273\\277'; head -n 1 in; } | $regctl import - --json", 0,
            "{\"imported\":1,\"refused\":0}"
          ),
          ("$regctl import nothing", 1, "nothing cannot be opened"),
          ("$regctl import in --from-line 0", 2, "--from-line must be 1 or more"),
          ("$regctl import in --socket /nonexistent", 3, "cannot connect"),
        ], regd.socket, in: regd.directory)
      let accounts = try regd.client().call("account.list").get()["accounts"]?.array ?? []
      #expect(
        accounts.compactMap { $0["email"]?.string }.sorted() == ["a@example.com", "c@example.com", "d@example.com"])
    }
  }

  @Test("a CSV that is imported as JSON lines causes one error, which names the option for CSV, and imports nothing")
  func csvAsLines() throws {
    let rows = "a@example.com,\(hash)\nb@example.com,\(hash)\n"
    try withRegd { regd in
      for (number, text) in [
        "email,password_hash\n\(rows)", "\u{FEFF}\"id\";\"E-Mail\";\"hash\"\r\n1;a@example.com;x\r\n", rows,
        "user_email\tuser_pass\n", "{\"email\":\"a@example.com\",\"passwordHash\":\"\(hash)\"}\n\(rows)",
        "INSERT INTO users (id, email) VALUES (1, 'a@example.com')\n", "a, b\n",
      ].enumerated() {
        try TextFile.write(text, to: "\(regd.directory)/in")
        let (status, output) = try Shell.run("$regctl import in", regd.socket, in: regd.directory)
        let isCSV = number < 4
        let says = "in looks like CSV, not JSON; use --from csv, or --from with the system that wrote the file"
        #expect(status == 1 && output.contains("\(says); nothing was imported") == isCSV, "\(output)")
        #expect(output.contains("this is not a JSON object") == !isCSV && !output.contains("then stopped"), "\(output)")
      }
      try Shell.check(
        [
          ("printf 'email,x\\n' | $regctl import -", 1, "- looks like CSV"),
          ("printf '\\nemail,x\\n' | $regctl import - --from-line 2", 1, "not a JSON object"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("an import that loses regd prints the line to continue from, and the bad lines before it")
  func stopped() throws {
    try withRegd { regd in
      // A call sends 500 records, and regctl reports the bad line among them after regd's answer. Then regd is killed.
      let lines = (1...600).map { number in
        [7, 502].contains(number) ? "bad" : "{\"email\":\"n\(number)@example.com\",\"passwordHash\":\"\(hash)\"}"
      }
      try TextFile.write(lines.joined(separator: "\n") + "\n", to: "\(regd.directory)/in")
      let (_, output) = try Shell.run(
        """
        mkfifo pipe; { $regctl import pipe 2>said; echo "ended with $?"; } & exec 3>pipe
        head -n 501 in >&3
        until grep -q 'pipe:7: ' said; do :; done
        kill -9 \(regd.process.pid); tail -n +502 in >&3; exec 3>&-; wait; cat said
        """, regd.socket, in: regd.directory)
      for says in [
        "pipe:502: this is not a JSON object", "imported 500, then stopped", "regctl import pipe --from-line 503",
        "ended with 3",
      ] {
        #expect(output.contains(says), "\(output)")
      }
    }
  }

  @Test("a large import in small messages is the same after an export and an import into another regd")
  func movingHouse() throws {
    try withRegd(["REGD_LIMITS_MESSAGE_BYTES": "65536", "REGD_LIMITS_RESPONSE_BYTES": "65536"]) { regd in
      let lines = (0..<3000).map { "{\"email\":\"n\($0)@example.com\",\"passwordHash\":\"\(hash)\"}" }
      try TextFile.write(lines.joined(separator: "\n") + "\n", to: "\(regd.directory)/in")
      try Shell.check(
        [
          ("$regctl import in", 0, "imported 3000, refused 0"), ("$regctl export out", 0, " accounts"),
          ("stat -c %a out", 0, "600"), ("$regctl export out", 1, "out already exists"), ("wc -l <out", 0, "3000"),
        ], regd.socket, in: regd.directory)
      try withRegd { other in
        try Shell.check(
          [
            ("$regctl import \(regd.directory)/out --json", 0, "{\"imported\":3000,\"refused\":0}"),
            (
              "$regctl export again --json && sort again >b && sort \(regd.directory)/out | cmp - b", 0,
              "{\"exported\":3000}"
            ),
          ], other.socket, in: other.directory)
      }
    }
  }

  @Test("an export reports the accounts that it leaves out because they cannot be read, as do status and metrics")
  func damagedRow() throws {
    try withRegd { regd in
      let lines = (0..<3).map { "{\"email\":\"n\($0)@example.com\",\"passwordHash\":\"\(hash)\"}" }
      try TextFile.write(lines.joined(separator: "\n") + "\n", to: "\(regd.directory)/in")
      try Shell.check(
        [
          ("$regctl import in", 0, "imported 3"), ("$regctl export whole", 0, "3 accounts"),
          ("sqlite3 regd.db \"UPDATE account SET updated_at = 'x' WHERE email = 'n1@example.com'\"", 0, ""),
          ("$regctl export out", 1, "1 account could not be read and is not in the export: account "),
          ("wc -l <out", 0, "2"), ("$regctl account list", 0, "n2@example.com"),
          ("$regctl status", 0, "the store contains 1 row that cannot be read: account "),
          ("$regctl metrics", 0, "regd_store_damaged_rows 1"),
          ("$regctl accept-store", 0, "the database has not gone back; nothing was changed"),
          ("$regctl accept-store --json", 0, "{\"accepted\":false}"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("if the database is replaced while regd runs, status reports it, and registrations fail")
  func replaced() throws {
    try withRegd { regd in
      try Shell.check(
        [
          (
            "cp regd.db x && mv x regd.db; until $regctl call daemon.status | grep -q 'restart regd'; do :; done", 0, ""
          ),
          ("$regctl status", 0, "the store has been failing since "),
          ("echo 'a fine phrase' | $regctl register a@example.com --password-stdin", 1, "store"),
        ], regd.socket, in: regd.directory)
    }
  }

  @Test("regctl events prints events as they happen")
  func events() throws {
    try withRegd { regd in
      let says = try Shell.run(
        """
        mkfifo told; $regctl events --count 2 >told & exec 3<told
        until $regctl call daemon.status | grep -q '"subscribers":1'; do :; done
        echo 'a fine phrase' | $regctl register a@example.com --password-stdin
        $regctl account disable a@example.com; cat <&3; wait
        """, regd.socket, in: regd.directory)
      #expect(says.status == 0, "\(says.output)")
      #expect(says.output.contains("account.registered  a@example.com"))
      #expect(says.output.contains("account.disabled  a@example.com"))
    }
  }
}
