import Glibc
import RegdProcesses
import RehearsedMailServer
import TestDoubles
import TestKit
import Testing
import WorkerThreads

/// Users attack each other's addresses over real sockets, with a real store and a real mail server, all of which fail
/// now and then.
@Suite("Owners and attackers", .timeLimit(.minutes(60)))
struct AdversaryTests {
  private static let stores =
    getenv("REGD_TEST_ADVERSARY_STORE").map { [String(cString: $0)] } ?? ["sqlite", "postgresql"]

  private static func number(_ name: String, _ usual: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? usual
  }

  @Test(
    "every owner gets the address and signs in, no attacker does, each mail has one Message-ID, and no code is written",
    .needsRoot, arguments: stores)
  func run(store: String) async throws {
    try #require(store == "sqlite" || PostgreSQL.isHere, "make deps installs PostgreSQL")
    let steps = Self.number("REGD_TEST_ADVERSARY_STEPS", 300)
    let seed = Self.number("REGD_TEST_ADVERSARY_SEED", 1)
    // The run takes a while, and all tests share the threads of the pool.
    let thread = try WorkerThreads(name: "adversaries", count: 1)
    let failures = try await withCheckedThrowingContinuation { continuation in
      thread.submit { continuation.resume(with: Result { try Self.play(steps, store, seed: seed) }) }
    }
    #expect(failures.isEmpty, "\(failures.count), at first:\n\(failures.prefix(20).joined(separator: "\n"))")
  }

  /// - Returns: The failed checks.
  private static func play(_ steps: Int, _ store: String, seed: Int) throws -> [String] {
    try TemporaryDirectory.with { mails in
      let server = try MailServer(directory: mails)
      let database = store == "postgresql" ? try PostgreSQL.databaseNow() : nil
      let visits = try DoorVisits(mails)
      let settings = [
        "REGD_STORE_BACKEND": store, "REGD_STORE_POSTGRESQL_URL": database?.url ?? "", "REGD_SOCKET_MODE": "0666",
        "REGD_REGISTRATION_VERIFICATION": "required",
        "REGD_REGISTRATION_CODE_DIGITS": "\(CodeGuesses.digits)", "REGD_REGISTRATION_RESEND_SECONDS": "1",
        // No code expires in a long run.
        "REGD_REGISTRATION_CODE_SECONDS": "86400", "REGD_MAIL_BACKEND": "smtp",
        "REGD_MAIL_FROM": "regd@example.com", "REGD_MAIL_SMTP_URL": server.url,
        "REGD_MAIL_QUEUE_FIRST_SECONDS": "0.1", "REGD_MAIL_QUEUE_MAXIMUM_SECONDS": "0.2", "REGD_HASHING_PASSES": "5",
        "REGD_HASHING_MEMORY_KI_B": "7168",
        // As under systemd: with PostgreSQL, this directory contains the clients from which owners have signed in.
        "STATE_DIRECTORY": mails,
      ].filter { !$0.value.isEmpty }
      chmod(mails, 0o711)
      return try withRegd(configuration: visits.configuration, settings) { regd in
        chmod(regd.directory, 0o711)
        var run = AdversaryRun(regd, server, database, visits, seed: UInt64(seed))
        try run.createSearcher()
        try run.play(steps: steps)
        try run.check()
        return run.failures
      }
    }
  }
}
