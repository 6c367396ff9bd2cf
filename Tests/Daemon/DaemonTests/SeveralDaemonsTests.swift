import Linux
import RegdClient
import RegdProcesses
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing
import WorkerThreads

@Suite(
  "Several regd processes on one database", .blocking, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"))
struct SeveralDaemonsTests {
  /// The replies to callers about one address.
  private struct Told: Sendable {
    var registered: Set<String> = []
    var taken = 0
    var others: [String] = []
  }

  @Test("if callers register one address at four regd at once, one gets the account, and the audit names its regd")
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
    // For three in ten addresses, every regd gets a request.
    #expect(told.values.count { $0.taken == 3 } == 12)
    #expect(told.count == 40)
    #expect(accounts == Set(told.keys))
    #expect(entries.map(\.number) == Array(1...40))
    #expect(Set(entries.map(\.regd)).count == 4, "\(Set(entries.map(\.regd)))")
  }

  /// - Returns: The replies by address.
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

  @Test("after a standby is promoted under load, it has all changes that two daemons have acknowledged, each once")
  func promoted() async throws {
    let (acknowledged, accounts, rows) = try await onThread { () -> ([String: String], Set<String>, [String]) in
      let primary = try PostgreSQLServer()
      let database = try primary.makeDatabase("regd")
      let standby = try PostgreSQLServer(standbyOf: primary, isSynchronous: true)
      let hosts = "127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)"
      let url = database.networkURL.replacing("127.0.0.1:\(primary.port)", with: hosts)
      return try withSeveral(2, at: url) { regds in
        let load = try Load(regds.map(\.socket))
        load.wait(untilAcknowledged: 30)
        primary.kill()
        try standby.promote()
        load.wait(untilAcknowledged: load.count + 30)
        let acknowledged = load.end()
        // The doubtful registrations are settled before all of them are listed.
        let accounts = try Self.accounts(regds[0].client())
        let rows = try standby.database(like: database).query("SELECT email_key, id FROM account").split(
          separator: "\n")
        return (acknowledged, accounts, rows.map(String.init))
      }
    }
    #expect(acknowledged.count >= 60)
    for (address, id) in acknowledged { #expect(rows.count { $0 == "\(address)|\(id)" } == 1, "\(address)") }
    #expect(Set(rows.map { $0.prefix { $0 != "|" } }).count == rows.count)
    #expect(!accounts.isEmpty)
  }

  @Test(
    "after a standby is promoted under the load of four regd, each change is there once, and no page omits an entry",
    arguments: Rounds.seeds(1))
  func promotedUnderFour(_ seed: Int) async throws {
    let problems = try await onThread {
      let primary = try PostgreSQLServer()
      let database = try primary.makeDatabase("regd")
      let standby = try PostgreSQLServer(standbyOf: primary, isSynchronous: true)
      let hosts = "127.0.0.1:\(primary.port),127.0.0.1:\(standby.port)"
      let url = database.networkURL.replacing("127.0.0.1:\(primary.port)", with: hosts)
      return try withSeveral(4, at: url) { regds in
        let ledger = try ChangeLedger(sockets: regds.map(\.socket), callers: 16, accounts: 5, seed: seed)
        try ledger.runHere(whenAcknowledged: 10 + seed * 7 % 60) {
          primary.kill()
          try standby.promote()
        }
        return try regds.flatMap { try ledger.problems(at: $0.socket) }
      }
    }
    #expect(problems.isEmpty, "\(problems.count), at first: \(problems.prefix(5).joined(separator: "\n"))")
  }

  @Test(
    "kills of two regd lose no change of an account's groups that sixteen callers made, and never leave more than 64",
    arguments: Rounds.seeds(1))
  func grouped(_ seed: Int) async throws {
    let database = try await PostgreSQL.database()
    let (refused, problems) = try await onThread {
      try withSeveral(2, on: database) { regds in
        let email = "name@example.com"
        _ = try regds[0].client().call("account.create", ["email": .string(email)]).get()
        let ledger = try GroupLedger(sockets: regds.map(\.socket), email: email, callers: 16, changes: 40, seed: seed)
        for kill in 1...6 {
          ledger.wait(untilAnswered: 80 * kill)
          try regds[kill % 2].restart(after: Signal.kill.rawValue)
        }
        return (ledger.end(), try regds.flatMap { try ledger.problems(at: $0.socket) })
      }
    }
    #expect(refused > 0)
    #expect(problems.isEmpty, "\(problems.count), at first: \(problems.prefix(5).joined(separator: "\n"))")
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

/// Calls `body` with `count` regd that share a database.
private func withSeveral<Value>(
  _ count: Int, on database: PostgreSQLDatabase, _ running: [RunningRegd] = [], _ body: ([RunningRegd]) throws -> Value
) throws -> Value {
  try withSeveral(count, at: database.url, running, body)
}

private func withSeveral<Value>(
  _ count: Int, at url: String, _ running: [RunningRegd] = [], _ body: ([RunningRegd]) throws -> Value
) throws -> Value {
  guard running.count < count else { return try body(running) }
  return try withRegd([
    "REGD_STORE_BACKEND": "postgresql", "REGD_STORE_POSTGRESQL_URL": url,
    // The machine has other tests to run.
    "REGD_STORE_POSTGRESQL_CONNECTIONS": "4", "REGD_STORE_POSTGRESQL_CONNECT_SECONDS": "25",
    "REGD_STORE_POSTGRESQL_ANSWER_SECONDS": "25",
  ]) { try withSeveral(count, at: url, running + [$0], body) }
}

/// Callers that register addresses one after the other until the end. After a failure they take the next address.
private final class Load: Sendable {
  private let acknowledged = Mutex<[String: String]>([:])
  private let isEnding = Mutex(false)
  private let threads: WorkerThreads
  private let oneMore: EventCounter

  init(_ sockets: [String]) throws {
    threads = try WorkerThreads(name: "load", count: 4)
    oneMore = try EventCounter()
    for caller in 0..<4 {
      threads.submit { [self] in
        var number = 0
        while !isEnding.withLock({ $0 }) {
          number += 1
          let address = "c\(caller)-\(number)@example.com"
          let entry = RegdClient.entry(email: address, password: "a fine phrase", confirmation: "a fine phrase")
          let answer = try? RegdClient(path: sockets[caller % sockets.count]).call("registration.register", entry)
          guard case .success(let result)? = answer, let id = result["account"]?["id"]?.string else { continue }
          acknowledged.withLock { $0[address] = id }
          oneMore.signal()
        }
      }
    }
  }

  var count: Int { acknowledged.withLock(\.count) }

  /// The suite's time limit ends a wait that hangs.
  func wait(untilAcknowledged wanted: Int) { while count < wanted { oneMore.wait() } }

  func end() -> [String: String] {
    isEnding.withLock { $0 = true }
    threads.stop()
    return acknowledged.withLock { $0 }
  }
}

/// Runs a long blocking body on a separate thread.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  let thread = try WorkerThreads(name: "several", count: 1)
  return try await withCheckedThrowingContinuation { continuation in
    thread.submit { continuation.resume(with: Result { try body() }) }
  }
}
