import Linux
import Logging
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import Daemon
@testable import Registration

/// The file in which a regd without SQLite keeps the clients from which owners have signed in.
@Suite("The file of known clients", .blocking, .timeLimit(.minutes(10)))
struct KnownClientPlaceTests {
  private func settings(_ yaml: String) async throws -> StoreSettings {
    try await Settings(file: ("f.yaml", yaml), environment: ["REGD_SOCKET_GROUP": ""]).store
  }

  @Test("the file is next to SQLite's, or else in systemd's directory, or else in regd's own, and in no other user's")
  func paths() async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    func path(_ store: StoreSettings, _ state: String?, _ other: String) -> String? {
      KnownClientFile.path(store, state: state, otherwise: other)
    }
    let remote = try await settings("store: {backend: postgresql, postgresql: {url: 'postgresql://localhost/regd'}}")
    #expect(path(remote, "/a:/b", directory) == "/a/clients")
    #expect(path(remote, nil, directory) == "\(directory)/clients")
    #expect(path(remote, "", directory) == "\(directory)/clients")
    #expect(path(remote, nil, "\(directory)/missing") == nil)
    try TextFile.write("", to: "\(directory)/file")
    #expect(path(remote, nil, "\(directory)/file") == nil)
    // proc(5): the directory belongs to the user of process 1, and another user runs the tests.
    if ThisProcess.effectiveUser != 0 { #expect(path(remote, nil, "/proc/1") == nil) }
    #expect(path(try await settings("store: {backend: memory}"), "/a", directory) == nil)
    let local = try await settings("store: {backend: sqlite, sqlite: {path: /d/regd.db}}")
    #expect(path(local, "/a", directory) == "/d/regd.db.clients")
  }

  @Test("regd adds nothing to a file that another regd has written, and later replaces the file")
  func shared() async throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let (path, store) = ("\(directory)/clients", try await settings("store: {backend: memory}"))
    func make() throws -> (file: KnownClientFile, signIns: SignInGuard) {
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      return (try KnownClientFile({ _ in path }, of: store, time: FixedTime(), logger: logger), SignInGuard())
    }
    func signIn(_ uid: UInt32, _ signIns: SignInGuard) {
      let password = Fixtures.password("a fine phrase")
      signIns.remember(signIns.attempt(account: "owner", share: Share(uid: uid), password: password), of: nil)
    }
    /// The users whose clients a later process would know from the file.
    func users() throws -> [UInt32] {
      let kept = KeptClients(try FileReading.bytes(path), at: Fixtures.time)
      return try #require(kept).changes.compactMap { change -> UInt32? in
        guard case .known(let known, _) = change else { return nil }
        return known.client.uid
      }
    }
    let (one, other) = (try make(), try make())
    signIn(1, one.signIns)
    await one.file.write(one.signIns, of: store)
    signIn(2, one.signIns)
    await one.file.add(one.signIns, of: store)
    #expect(try users() == [1, 2])
    signIn(3, other.signIns)
    await other.file.write(other.signIns, of: store)
    signIn(4, one.signIns)
    await one.file.add(one.signIns, of: store)
    signIn(5, other.signIns)
    await other.file.add(other.signIns, of: store)
    #expect(try users() == [3, 5])
    await one.file.write(one.signIns, of: store)
    #expect(try users() == [1, 2, 4])
    signIn(6, one.signIns)
    await one.file.add(one.signIns, of: store)
    #expect(try users() == [1, 2, 4, 6])
    #expect(try FileStatus(path).permissions == 0o600)
  }

  @Test(
    "without systemd, a regd on PostgreSQL keeps known clients in STATE_DIRECTORY, or else warns",
    .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
  func restart() async throws {
    for hasDirectory in [true, false] {
      let server = try await PostgreSQL.onItsThread {
        try Places.stores.get().first { $0.name == "postgresql" }?.places(in: "/nonexistent") {
          try PostgreSQL.databaseNow()
        }
      }
      let directory = try TemporaryDirectory.make()
      defer { FileSystem.removeDirectory(directory) }
      var variables = ["REGD_STORE_BACKEND": "postgresql"].merging(server ?? [:]) { $1 }
      if hasDirectory { variables["STATE_DIRECTORY"] = directory }
      try withRegd(variables) { regd in
        let entry = RegdClient.entry(
          email: "name@example.com", password: "a fine phrase", confirmation: "a fine phrase")
        _ = try regd.client().call("registration.register", entry).get()
        #expect(regd.process.end() == 0)
        let warns = regd.process.output.contains("The file of known clients has no directory")
        // If the test's user owns /var/lib/regd, regd uses that directory.
        let isHome = (try? FileStatus("/var/lib/regd"))?.owner == ThisProcess.effectiveUser
        #expect(warns == !(hasDirectory || isHome), "\(regd.process.output)")
        #expect(FileSystem.isMissing("\(directory)/clients") != hasDirectory)
      }
    }
  }
}
