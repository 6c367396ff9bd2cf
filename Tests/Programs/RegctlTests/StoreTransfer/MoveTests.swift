import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl move", .blocking, .timeLimit(.minutes(10)))
struct MoveTests {
  private static let settings = "hashing: {memoryKiB: 7168, passes: 5}\n"

  /// Calls `body` with a regd that has accounts, and whose configuration file can be rewritten.
  private func withMovable(accounts: Int = 3, _ body: (RunningRegd) throws -> Void) throws {
    try TemporaryDirectory.with { directory in
      let file = "\(directory)/regd.yaml"
      try TextFile.write(Self.settings, to: file)
      try withRegd(configuration: file) { regd in
        for number in 0..<accounts { try register("n\(number)@example.com", regd) }
        try body(regd)
      }
    }
  }

  private func register(_ email: String, _ regd: RunningRegd) throws {
    let entry = RegdClient.entry(email: email, password: "a fine phrase", confirmation: "a fine phrase")
    _ = try regd.client().call("registration.register", entry).get()
  }

  private func emails(_ regd: RunningRegd) throws -> [String] {
    try pages(regd, "account.list", "accounts").compactMap { $0["email"]?.string }
  }

  private func pages(_ regd: RunningRegd, _ method: String, _ member: String) throws -> [JSONValue] {
    let client = try regd.client()
    var all: [JSONValue] = []
    var after = JSONValue.null
    while true {
      let page = try client.call(method, ["after": after, "limit": .number("1000")]).get()
      all += page[member]?.array ?? []
      guard let next = page["next"] else { return all }
      after = next
    }
  }

  @Test("an impossible move is refused with the reason, and a password in the target's URL is not printed")
  func refused() throws {
    try withMovable { regd in
      try Shell.check(
        [
          ("$regctl move", 2, "give the target with --to or --to-file"),
          ("$regctl move --to '' ", 2, "give the target with --to or --to-file"),
          ("$regctl move --to postgres:/me:secret@host/db", 2, "the store must be postgresql://"),
          ("$regctl move --to postgres:/me:secret@host/db 2>&1 | grep -c secret", 1, "0"),
          ("$regctl move --to /x --to-file y", 2, "cannot be combined"),
          ("$regctl move --to /x --switch --abandon", 2, "cannot be combined"),
          ("$regctl move --to-file nothing", 1, "nothing cannot be opened"),
          ("$regctl move --to /nowhere/at/all.db", 1, "/nowhere/at/all.db: there is no directory /nowhere/at: "),
          (
            "$regctl move --to \(regd.directory)", 1,
            "\(regd.directory) is a directory, but must be a file: choose a file"
          ),
          ("$regctl move --to \(regd.database)", 1, "is the store to be moved"),
          ("$regctl move --to postgresql://127.0.0.1:1/x", 1, "PostgreSQL: "),
          ("$regctl move --to 'postgresql://['", 1, "is not a URL that libpq can read"),
          ("$regctl move --to /x --abandon", 1, "no move from"),
          ("$regctl move --to /x --socket /nonexistent", 3, "cannot connect"),
          ("$regctl move --to /x --socket /nonexistent --database /none.db", 1, "/none.db: the file does not exist"),
        ], regd.socket)
      #expect(try emails(regd).count == 3)
    }
    try withRegd(["REGD_STORE_BACKEND": "memory"]) { regd in
      try Shell.check([("$regctl move --to /x", 1, "is memory; only a sqlite store can be moved")], regd.socket)
    }
  }

  @Test("a switch is refused while the configuration names regd's present store, and regd continues to use it")
  func notConfigured() throws {
    try withMovable { regd in
      let target = "\(regd.directory)/moved.db"
      try Shell.check(
        [
          ("$regctl move --to \(target) --switch", 1, "regd uses now; change the configuration to"),
          ("$regctl move --to \(target)", 0, "account: 3 rows, checksum "),
          ("$regctl move --to \(target) --json", 0, #"{"state":"copied","tables":{"account":{"rows":3,"#),
          (
            "$regctl move --to \(target) --socket /nonexistent --database \(regd.database) --switch", 1,
            "is open in another program"
          ),
        ], regd.socket)
      try register("later@example.com", regd)
      try TextFile.write("\(Self.settings)\npassword: {minimumLength: 0}\n", to: regd.configuration)
      try Shell.check(
        [
          ("$regctl move --to \(target) --switch", 1, "password.minimumLength"),
          ("$regctl move --to \(target)", 0, "account: 4 rows"),
          ("$regctl move --to \(target) --abandon", 0, "is unchanged"), ("ls \(target)*", 2, "No such file"),
          ("$regctl move --abandon", 1, "no move from"), ("$regctl move --to \(target)", 0, "account: 4 rows"),
          ("$regctl move --abandon", 0, "the copied data remains in the target"),
          ("$regctl move --to \(target)", 1, "another move into it is in progress"),
        ], regd.socket)
      #expect(try emails(regd).count == 4)
    }
  }

  @Test("a store without a completed move is refused, even with a valid hold, and regd continues with its own store")
  func notCompleted() throws {
    try withMovable { regd in
      func refusal(_ yaml: String, hold: String) throws -> String {
        try TextFile.write("\(Self.settings)\n\(yaml)\n", to: regd.configuration)
        guard case .failure(let error) = try regd.client().call("daemon.reload", ["hold": .string(hold)]) else {
          return "done"
        }
        return error.data["problems"]?.array?.compactMap { $0["message"]?.string }.joined(separator: "; ") ?? ""
      }
      let hold = try #require(try regd.client().call("daemon.holdStore").get()["hold"]?.string)
      #expect(try refusal("store: {backend: memory}", hold: hold).contains("a store of this kind cannot take over"))
      #expect(
        try refusal("store: {backend: postgresql, postgresql: {url: 'postgresql://127.0.0.1:1/x'}}", hold: hold)
          .contains("the store that it names cannot take over: "))
      #expect(
        try refusal("shutdown: {graceSeconds: 11}\nsocket: {mode: \"0600\"}", hold: hold).contains("restart regd"))
      #expect(try refusal("shutdown: {graceSeconds: 12}", hold: hold).contains("names the old store"))
      try register("later@example.com", regd)
      #expect(try emails(regd).count == 4)
      #expect(try regd.client().call("daemon.status").get()["store"]?["backend"]?.string == "sqlite")
    }
  }

  @Test("in a move between SQLite files, the new file is complete before regd's first change, and regd restarts on it")
  func toFile() throws {
    try TemporaryDirectory.with { directory in
      let (file, target) = ("\(directory)/regd.yaml", "\(directory)/moved.db")
      func configuration(_ database: String) -> String {
        "\(Self.settings)store: {backend: sqlite, sqlite: {path: \(database)}}\n"
      }
      try TextFile.write(configuration("\(directory)/first.db"), to: file)
      // the file names the store, so that a reload may change it
      let starter = ["/usr/bin/env", "-u", "REGD_STORE_SQLITE_PATH"]
      try withRegd(configuration: file, startedBy: starter) { regd in
        for number in 0..<3 { try register("n\(number)@example.com", regd) }
        try Shell.check([("$regctl move --to \(target)", 0, "account: 3 rows")], regd.socket)
        try TextFile.write(configuration(target), to: file)
        try Shell.check([("$regctl move --to \(target) --switch", 0, "regd now uses sqlite (\(target))")], regd.socket)
        try register("later@example.com", regd)
        let log = regd.process.output
        #expect(!log.contains("a restart would refuse it") && !log.contains("within a transaction"), "\(log)")
        try regd.restart(after: 9)
        #expect(try emails(regd).count == 4)
      }
    }
  }

  @Test("a database can be moved to another file without a regd, and no regd starts on the old file afterwards")
  func offline() throws {
    try withMovable { regd in
      let target = "\(regd.directory)/moved.db"
      regd.process.end()
      let move = "$regctl move --socket /nonexistent --database \(regd.database) --to \(target)"
      try Shell.check(
        [
          (move, 0, "copied and compared"), ("\(move) --switch", 0, "regd will use the target at its next start"),
          ("\(move) --switch", 0, "was already moved to sqlite (\(target)); its accounts are there"),
          (
            "\(Places.regd) --config \(regd.configuration) --store-sqlite-path \(regd.database) --socket-path $PWD/s --socket-group=",
            69, "it was moved to sqlite (\(target))"
          ),
        ], regd.socket)
      try withRegd(["REGD_STORE_SQLITE_PATH": target]) { moved in
        #expect(try emails(moved) == ["n0@example.com", "n1@example.com", "n2@example.com"])
        try Shell.check(
          [("echo 'a fine phrase' | $regctl sign-in n0@example.com --password-stdin", 0, "signed in")], moved.socket)
      }
    }
  }

  @Test(
    "after the move, a second regd on the old file is refused, and all acknowledged accounts are in the new store",
    .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
  func second() async throws {
    let database = try await PostgreSQL.database()
    try withMovable { regd in
      try withRegd(["REGD_STORE_SQLITE_PATH": regd.database]) { second in
        try TextFile.write("\(database.url)\n", to: "\(regd.directory)/target")
        try register("second@example.com", second)
        try TextFile.write(
          "\(Self.settings)\nstore: {backend: postgresql, postgresql: {url: \"\(database.url)\", connectSeconds: 30, answerSeconds: 20}}\n",
          to: regd.configuration)
        try Shell.check(
          [("$regctl move --to-file \(regd.directory)/target --switch", 0, "regd now uses postgresql")], regd.socket)
        let entry = RegdClient.entry(
          email: "late@example.com", password: "a fine phrase", confirmation: "a fine phrase")
        guard case .failure(let error) = try second.client().call("registration.register", entry) else {
          Issue.record("it was acknowledged in a file that no regd opens")
          return
        }
        #expect(error.reason == "store.unavailable")
        #expect(
          try emails(regd) == ["n0@example.com", "n1@example.com", "n2@example.com", "second@example.com"])
        // the second regd finds the move by itself, without a change
        let client = try second.client()
        while case .success = try client.call("account.list") {}
        #expect(try client.call("daemon.status").get().text.contains("it was moved to postgresql on "))
      }
    }
  }

  @Test(
    "a move to PostgreSQL under load causes no errors, and each acknowledged account exists exactly once",
    .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
  func underLoad() async throws {
    let database = try await PostgreSQL.database()
    try withMovable { regd in
      try TextFile.write("\(database.url)\n", to: "\(regd.directory)/target")
      try TextFile.write(
        "\(Self.settings)\nstore: {backend: postgresql, postgresql: {url: \"\(database.url)\", connectSeconds: 30, answerSeconds: 20}}\n",
        to: "\(regd.directory)/after.yaml")
      let entry = #"{"email":"l{n}@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"}"#
      let bench = "$regctl bench --yes --connections 6 --duration 3600"
      let (status, output) = try Shell.run(
        """
        true
        \(bench) --method registration.register --params '\(entry)' --json >registered 2>errors & first=$!
        \(bench) --method account.list --params '{"limit":1}' --json >listed 2>>errors & second=$!
        until [ $($regctl account list --json | wc -l) -gt 20 ]; do :; done
        $regctl move --to-file target; echo "copied $?"
        cp after.yaml \(regd.configuration)
        for try in 1 2 3 4 5; do $regctl move --to-file target --switch && echo "switched 0" && break; done
        before=$($regctl account list --json | wc -l)
        until [ $($regctl account list --json | wc -l) -gt $((before + 20)) ]; do :; done
        kill -TERM $first $second; wait $first; echo "registered $?"; wait $second; echo "listed $?"; cat errors
        """, regd.socket, in: regd.directory)
      print("moved under load: \(output.split(separator: "\n").first { $0.contains("changes were paused") } ?? "?")")
      for line in [
        "copied 0", "switched 0", "registered 0", "listed 0", "regd now uses postgresql; changes were paused for",
      ] {
        #expect(output.contains(line), "\(status): \(output)")
      }
      let report = try #require(JSONValue((TextFile.read("\(regd.directory)/registered") ?? "").utf8))
      let acknowledged = try #require(report["runs"]?.array?.first?["results"]?.integer, "\(report.text)")
      #expect(try regd.client().call("rpc.serverInfo").get()["store"]?["backend"]?.string == "postgresql")
      // a restart ends the requests that the load has left unfinished, and regd uses the new store from here on
      try regd.restart(after: 15)
      let there = Set(try emails(regd))
      // a request without an answer at the end of the load may have created an account
      #expect(there.count >= Int(acknowledged) + 3, "\(report.text)")
      let registered = try pages(regd, "events.list", "events").filter { $0["event"]?.string == "account.registered" }
      #expect(registered.count == there.count && Set(registered.compactMap { $0["email"]?.string }) == there)
      // the file is no longer a store
      let old = try Shell.run(
        "\(Places.regd) --config Config/regd.yaml --store-sqlite-path \(regd.database) --socket-path $PWD/s --socket-group=",
        regd.socket, in: Places.root)
      #expect(old.status == 69 && old.output.contains("it was moved to postgresql on "), "\(old)")
    }
  }
}
