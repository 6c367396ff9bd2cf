import Glibc
import JSONRPC
import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import Registration

/// Clients from which owners have signed in, over restarts, stops and moves of real daemons.
@Suite("Known clients over restarts", .blocking, .timeLimit(.minutes(10)))
struct KnownClientTests {
  private static let email: JSONValue = "a@example.com"

  private func register(_ regd: RunningRegd) throws {
    let entry = RegdClient.entry(email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase")
    _ = try regd.client().call("registration.register", entry).get()
  }

  /// - Returns: The reason of the error, or nil if the password was accepted.
  private func signIn(_ regd: RunningRegd, _ password: JSONValue = "a fine phrase", at origin: String) throws -> String?
  {
    let entry: JSONValue = ["email": Self.email, "password": password, "origin": .string(origin)]
    return switch try regd.client().call("session.signIn", entry) {
    case .success: nil
    case .failure(let error): error.reason
    }
  }

  /// Lets strangers guess until they have to wait. After that, only a known client can sign in at once.
  private func useUpGuesses(_ regd: RunningRegd) throws {
    let last = try (0..<200).first { number in
      try signIn(regd, .string("guess \(number)"), at: "guesser \(number)") == "rate.limited"
    }
    #expect(last != nil)
  }

  private func reload(_ regd: RunningRegd) throws {
    _ = try regd.client().call("daemon.reload", ["dryRun": .bool(false)]).get()
  }

  /// How many known clients regd would read from the file.
  private func count(_ file: String) throws -> Int? {
    KeptClients(try FileReading.bytes(file), at: Timestamp(microseconds: WallClock.microseconds)).map { kept in
      var clients = KnownClients(capacity: 100)
      clients.restore(kept.changes)
      return clients.count
    }
  }

  @Test(
    "regd recognizes a known client after a restart, whatever others guess, and only its own user may read the file")
  func restarts() throws {
    try withRegd { regd in
      try register(regd)
      #expect(try signIn(regd, at: "home") == nil)
      try regd.restart(after: SIGTERM)
      try useUpGuesses(regd)
      #expect(try signIn(regd, at: "home") == nil)
      let file = try FileStatus("\(regd.database).clients")
      #expect(file.permissions == 0o600 && file.size > 100)
      // A damaged file loses the known clients, and regd logs it.
      try FileWriting.write("damaged", to: "\(regd.database).clients")
      try regd.restart(after: SIGKILL)
      #expect(regd.process.output.contains("The file of known clients"))
      #expect(try signIn(regd, at: "home") == nil)
    }
  }

  @Test(
    "regd recognizes a client after its first sign-in, even if regd is killed a moment later and strangers have guessed",
    arguments: ["sqlite", "postgresql"])
  func killed(store: String) throws {
    try #require(store == "sqlite" || PostgreSQL.isHere, "make deps installs PostgreSQL")
    let database = store == "postgresql" ? try PostgreSQL.databaseNow() : nil
    try TemporaryDirectory.with { state in
      let settings = [
        "REGD_STORE_BACKEND": store, "REGD_STORE_POSTGRESQL_URL": database?.url ?? "", "STATE_DIRECTORY": state,
      ].filter { !$0.value.isEmpty }
      try withRegd(settings) { regd in
        let file = store == "sqlite" ? "\(regd.database).clients" : "\(state)/clients"
        try register(regd)
        #expect(try signIn(regd, at: "home") == nil)
        // regd must not need longer than for these replies: the caller that registered, and the one at home
        let client = try regd.client()
        var replies = 0
        while (try? count(file)) != 2, replies < 10_000 {
          _ = try client.call("rpc.ping")
          replies += 1
        }
        // PostgreSQL keeps the count of these guesses over the restart. On SQLite, strangers begin again after it.
        try useUpGuesses(regd)
        try regd.restart(after: SIGKILL)
        try useUpGuesses(regd)
        #expect(try signIn(regd, at: "home") == nil)
      }
    }
  }

  @Test("regd recognizes a known client after a move of the database, even if regd is killed right after the move")
  func moves() throws {
    try TemporaryDirectory.with { directory in
      let (file, target) = ("\(directory)/regd.yaml", "\(directory)/moved.db")
      func configure(_ database: String) throws {
        try TextFile.write(
          """
          hashing: {memoryKiB: 7168, passes: 5}
          store: {backend: sqlite, sqlite: {path: \(database)}}
          """, to: file)
      }
      try configure("\(directory)/first.db")
      // the file names the store, and a reload may change it
      let starter = ["/usr/bin/env", "-u", "REGD_STORE_SQLITE_PATH"]
      try withRegd(configuration: file, startedBy: starter) { regd in
        func move(_ options: String...) throws {
          let (status, output) = try RegdProcess.run(
            program: Places.regctl, arguments: ["move", "--to", target] + options,
            environment: ["REGD_SOCKET_PATH": regd.socket], directory: directory)
          #expect(status == 0, "\(output)")
        }
        try register(regd)
        #expect(try signIn(regd, at: "home") == nil)
        try move()
        try configure(target)
        try move("--switch")
        try regd.restart(after: SIGKILL)
        try useUpGuesses(regd)
        #expect(try signIn(regd, at: "home") == nil)
        // the caller that registered, and the one at home
        #expect(try count("\(target).clients") == 2)
      }
    }
  }

  @Test("a client that signs in while regd stops is in the file of known clients")
  func stops() throws {
    // the hash ends after regd has begun to stop
    let slow = ["REGD_HASHING_PASSES": "100", "REGD_SHUTDOWN_GRACE_SECONDS": "300"]
    try withRegd(slow) { regd in
      try register(regd)
      let caller = try RawCaller(regd.socket)
      let signIn: JSONValue = [
        "jsonrpc": "2.0", "id": "in", "method": "session.signIn",
        "params": ["email": Self.email, "password": "a fine phrase", "origin": "home"],
      ]
      // The reply to the ping shows that regd has received the sign-in before it.
      try caller.send(Array("\(signIn.text)\n{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"rpc.ping\"}\n".utf8))
      var answers = [try caller.readLine()]
      Signal.terminate.send(to: regd.process.pid)
      answers.append(try caller.readLine())
      #expect(regd.process.wait() == 0)
      #expect(answers.contains { $0?.contains("\"stamp\"") == true }, "\(answers)")
      #expect(try count("\(regd.database).clients") == 2)
    }
  }

  @Test("regd logs once that it cannot write the file and once that it can again, and leaves no temporary file")
  func obstacle() throws {
    try withRegd { regd in
      let file = "\(regd.database).clients"
      try FileSystem.makeDirectory(file)
      try register(regd)
      for _ in 0..<3 { try reload(regd) }
      #expect(FileSystem.isMissing("\(file).new"))
      FileSystem.removeDirectory(file)
      for _ in 0..<3 { try reload(regd) }
      #expect(try count(file) == 1)
      regd.process.end()
      let log = regd.process.output
      #expect(log.split(separator: "The file of known clients: \(file) cannot be written").count == 2, "\(log)")
      #expect(log.split(separator: "The file of known clients can be written again").count == 2, "\(log)")
    }
  }
}
