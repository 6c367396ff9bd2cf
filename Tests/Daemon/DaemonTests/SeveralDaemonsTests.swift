import RegdClient
import RegdProcesses
import Synchronization
import TestKit
import Testing
import WorkerThreads

@Suite(
  "Several regd on one database", .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct SeveralDaemonsTests {
  /// What callers were told of one address.
  private struct Told: Sendable {
    var registered: Set<String> = []
    var taken = 0
    var others: [String] = []
  }

  @Test("of callers that register one address with four regd at once one is acknowledged, and the audit names its regd")
  func contended() async throws {
    let database = try await PostgreSQL.database()
    let (told, accounts, entries) = try await onThread {
      try withSeveral(4, on: database) { regds in
        let told = try Self.race(regds)
        let client = try regds[0].client()
        return (told, try Self.accounts(client), try Self.entries(client))
      }
    }
    #expect(
      told.values.allSatisfy { $0.registered.count == 1 && $0.others.isEmpty },
      "\(told.filter { !$0.value.others.isEmpty })")
    // three in ten addresses are asked for at each regd
    #expect(told.values.count { $0.taken == 3 } == 12)
    #expect(told.count == 40)
    #expect(accounts == Set(told.keys))
    #expect(entries.map(\.number) == Array(1...40))
    #expect(Set(entries.map(\.regd)).count == 4, "\(Set(entries.map(\.regd)))")
  }

  /// - Returns: What was said of each address.
  private static func race(_ regds: [RunningRegd]) throws -> [String: Told] {
    let told = Mutex<[String: Told]>([:])
    let threads = try WorkerThreads(name: "callers", count: 2 * regds.count)
    for number in 0..<40 {
      for (index, regd) in regds.enumerated() where number % 10 < 3 || number % regds.count == index {
        let address = "n\(number)@example.com"
        let socket = regd.socket
        threads.submit {
          let answer = Result {
            try RegdClient(path: socket).call(
              "registration.register",
              RegdClient.entry(email: address, password: "a fine phrase", confirmation: "a fine phrase"))
          }
          told.withLock { told in
            switch answer {
            case .success(.success(let result)):
              told[address, default: Told()].registered.insert(result["account"]?["id"]?.string ?? "")
            case .success(.failure(let error)) where error.reason == "email.taken":
              told[address, default: Told()].taken += 1
            case .success(.failure(let error)): told[address, default: Told()].others.append(error.reason)
            case .failure(let error): told[address, default: Told()].others.append("\(error)")
            }
          }
        }
      }
    }
    threads.stop()
    return told.withLock { $0 }
  }

  private static func accounts(_ client: RegdClient) throws -> Set<String> {
    let page = try client.call("account.list", .object([.init("limit", .number("100"))])).get()
    let accounts: [JSONValue] = page["accounts"]?.array ?? []
    return Set(accounts.compactMap { account in account["email"]?.string })
  }

  private static func entries(_ client: RegdClient) throws -> [(number: Int, regd: String)] {
    let page = try client.call("events.list", .object([.init("limit", .number("100"))])).get()
    let entries: [JSONValue] = page["events"]?.array ?? []
    return entries.map { entry in (entry["entry"]?.integer ?? 0, entry["regd"]?.string ?? "") }
  }
}

/// Calls `body` with so many regd that share a database.
private func withSeveral<Value>(
  _ count: Int, on database: PostgreSQLDatabase, _ running: [RunningRegd] = [], _ body: ([RunningRegd]) throws -> Value
) throws -> Value {
  guard running.count < count else { return try body(running) }
  return try withRegd([
    "REGD_STORE_BACKEND": "postgresql", "REGD_STORE_POSTGRESQL_URL": database.url,
    // the machine has other tests to run
    "REGD_STORE_POSTGRESQL_CONNECTIONS": "4", "REGD_STORE_POSTGRESQL_CONNECT_SECONDS": "25",
    "REGD_STORE_POSTGRESQL_ANSWER_SECONDS": "25",
  ]) { try withSeveral(count, on: database, running + [$0], body) }
}

/// Runs what blocks for long on a thread of its own.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  let thread = try WorkerThreads(name: "several", count: 1)
  return try await withCheckedThrowingContinuation { continuation in
    thread.submit { continuation.resume(with: Result { try body() }) }
  }
}
