import Glibc
import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Sign-ins over restarts, with several regd processes, and after a backup is restored as its article describes.
@Suite("After a sign-in, over restarts", .blocking, .timeLimit(.minutes(10)))
struct SessionTests {
  private static let email: JSONValue = "a@example.com"
  private static let owner: JSONValue = ["email": email, "password": "a fine phrase"]

  private func registered(_ regd: RunningRegd) throws -> JSONValue {
    let entry = RegdClient.entry(email: "a@example.com", password: "a fine phrase", confirmation: "a fine phrase")
    return try kept(try regd.client().call("registration.register", entry).get())
  }

  private func signedIn(_ regd: RunningRegd) throws -> JSONValue {
    try kept(try regd.client().call("session.signIn", Self.owner).get())
  }

  /// The data that a front end keeps of a reply.
  private func kept(_ answer: JSONValue) throws -> JSONValue {
    ["account": try #require(answer["account"]?["id"]), "stamp": try #require(answer["stamp"])]
  }

  /// Nil if the sign-in is valid.
  private func reason(_ regd: RunningRegd, _ kept: JSONValue) throws -> String? {
    switch try regd.client().call("session.check", kept) {
    case .success: nil
    case .failure(let error): error.reason
    }
  }

  /// Runs regctl, which must succeed.
  private func regctl(_ regd: RunningRegd, _ arguments: String...) throws {
    let (status, output) = try RegdProcess.run(
      program: Places.regctl, arguments: arguments, environment: ["REGD_SOCKET_PATH": regd.socket],
      directory: regd.directory)
    #expect(status == 0, "\(output)")
  }

  @Test("a sign-in stays valid over restarts, and an ended one stays ended")
  func restarts() throws {
    try withRegd { regd in
      let first = try registered(regd)
      try regd.restart(after: SIGKILL)
      #expect(try reason(regd, first) == nil)
      #expect(try signedIn(regd) == first)
      _ = try regd.client().call("account.disable", ["email": Self.email]).get()
      try regd.restart(after: SIGTERM)
      _ = try regd.client().call("account.enable", ["email": Self.email]).get()
      #expect(try reason(regd, first) == "session.ended")
      let second = try signedIn(regd)
      try regd.restart(after: SIGKILL)
      #expect(try reason(regd, first) == "session.ended")
      #expect(try reason(regd, second) == nil)
      // The search covers everything that regd has written, including its whole log.
      let stamps = [first, second].compactMap { $0["stamp"]?.string }
      #expect(SecretSearch.found(in: regd.directory, stamps) == [])
      #expect(stamps.count == 2)
    }
  }

  @Test("another regd on the same database sees the end of a sign-in at once, and both accept each other's stamps")
  func shared() throws {
    try withRegd { one in
      let first = try registered(one)
      try withRegd(["REGD_STORE_SQLITE_PATH": one.database]) { other in
        #expect(try reason(other, first) == nil)
        _ = try other.client().call("owner.signOut", Self.owner).get()
        #expect(try reason(one, first) == "session.ended")
        let second = try signedIn(one)
        #expect(try reason(other, second) == nil)
        _ = try one.client().call("account.signOut", ["email": Self.email]).get()
        #expect(try reason(other, second) == "session.ended")
      }
    }
  }

  @Test("each time a backup is restored, all earlier sign-ins end, also those from before the backup")
  func restored() throws {
    try withRegd { regd in
      let before = try registered(regd)
      try regctl(regd, "backup", "\(regd.directory)/backup.db")
      #expect(try reason(regd, before) == nil)
      _ = try regd.client().call("owner.signOut", Self.owner).get()
      var all = [before, try signedIn(regd)]
      for _ in 0..<2 {
        regd.process.end()
        try FileWriting.write(try FileReading.bytes("\(regd.directory)/backup.db"), to: regd.database)
        for ending in ["-wal", "-shm"] { FileSystem.remove(regd.database + ending) }
        try regd.restart(after: SIGTERM)
        for each in all { #expect(try reason(regd, each) == "session.ended") }
        all.append(try signedIn(regd))
        #expect(try reason(regd, all[all.count - 1]) == nil)
        try regd.restart(after: SIGTERM)
        #expect(try reason(regd, all[all.count - 1]) == nil)
      }
    }
  }
}
