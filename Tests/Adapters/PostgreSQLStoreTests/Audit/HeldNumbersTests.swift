import RegdProcesses
import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

@Suite(
  "The row of numbers while another program keeps it locked, in PostgreSQL",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct HeldNumbersTests {
  /// The statements that sessions have sent about the row of numbers.
  private final class Sent: Sendable {
    private let waits = Mutex<(count: Int, limits: [Int])>((0, []))

    /// The number of statements that wait for the row.
    var count: Int { waits.withLock { $0.count } }
    /// The limits of these waits, in milliseconds.
    var limits: [Int] { waits.withLock { $0.limits } }

    func note(_ message: FrontendMessage) {
      guard message.kind == "E" else { return }
      let statement = message.statement
      waits.withLock { waits in
        if statement.contains("FROM numbering FOR NO KEY UPDATE"), !statement.contains("SKIP LOCKED") {
          waits.count += 1
        }
        // opening the schema sets no limit: = 0
        if statement.hasPrefix("SET LOCAL lock_timeout = '") {
          waits.limits.append(Int(statement.filter { $0.isNumber }) ?? .max)
        }
      }
    }
  }

  @Test("no list waits long for the row; lists of accounts are complete, and the audit follows once the row is free")
  func held() async throws {
    try await withDatabase { database in
      let (proxied, sent) = (try ProxiedDatabase(database), Sent())
      proxied.proxy.decide { message in
        sent.note(message)
        return .forward
      }
      var settings = proxied.settings
      settings.answerLimit = .seconds(5)
      let store = try await eventually { [settings] () async throws(StoreFailure) in
        try await openedAsStore(settings)
      }
      let holder = try await PostgreSQL.onItsThread {
        let holder = try #require(ServerAddress(database.url)).connect(0, within: patience, answers: patience)
        _ = try holder.run([Statement("BEGIN"), Statement("SELECT 1 FROM numbering FOR NO KEY UPDATE")])
        return Held(holder)
      }
      let account = Fixtures.account()
      let answer = try await eventually { () async throws(StoreFailure) in try await store.insert(account) }
      #expect(answer == .inserted || answer == .taken(account))
      let listed = try await eventually { () async throws(StoreFailure) in try await store.list(after: nil, limit: 9) }
      #expect(listed == [account])
      let entries = try await eventually { () async throws(StoreFailure) in try await store.audit(after: 0, limit: 9) }
      #expect(entries.isEmpty)
      let before = sent.limits.count
      let history = await failure { () async throws(StoreFailure) in
        _ = try await store.history(of: account.account.id, after: 0, limit: 9)
      }
      #expect(history?.isUnavailable == true, "\(String(describing: history))")
      // each wait has a limit, and all waits for one history together have the limit of one answer
      #expect(sent.count > 0 && sent.limits.count == sent.count)
      #expect(sent.limits.allSatisfy { $0 <= 500 }, "\(sent.limits)")
      #expect(sent.limits.dropFirst(before).reduce(0, +) <= 5500, "\(sent.limits)")
      try await PostgreSQL.onItsThread { _ = try holder.connection.run("COMMIT") }
      let whole = try await eventually { () async throws(StoreFailure) in
        try await store.history(of: account.account.id, after: 0, limit: 9)
      }
      #expect(whole?.entries.map(\.change) == [.registered])
      await store.close()
    }
  }
}
