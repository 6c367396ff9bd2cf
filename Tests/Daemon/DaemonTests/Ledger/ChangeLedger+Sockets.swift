import Linux
import RegdClient
import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import WorkerThreads

extension ChangeLedger {
  private static let hash =
    "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

  /// Callers at running regds, with changes that need no hash, each over its own connection. The audit is read in pages
  /// from the first regd.
  convenience init(sockets: [String], callers: Int, accounts: Int?, seed: Int) throws {
    let threads = try WorkerThreads(name: "callers", count: callers + 1)
    self.init(
      [.imported, .disabled, .enabled, .disabled, .deleted], callers: callers, accounts: accounts, seed: seed,
      make: { change, account, caller, chance in
        // Another regd may get a change that one regd has left open.
        let socket = sockets[(caller + (chance == 3 ? 1 : 0)) % sockets.count]
        return await withCheckedContinuation { continuation in
          threads.submit { continuation.resume(returning: Self.make(change, account, socket)) }
        }
      },
      read: { after in
        await withCheckedContinuation { continuation in
          threads.submit { continuation.resume(returning: try? Self.entries(sockets[0], after: after, limit: 7).page) }
        }
      })
  }

  private static func make(_ change: AuditEntry.Change, _ account: StoredAccount, _ socket: String) -> Answer {
    let email = JSONValue.string(account.account.email.typed)
    let (method, params): (String, JSONValue) =
      switch change {
      case .imported:
        ("account.import", ["records": .array([record(account)])])
      case .deleted: ("account.delete", ["email": email])
      case let change: (change == .enabled ? "account.enable" : "account.disable", ["email": email])
      }
    guard let client = try? RegdClient(path: socket, timeoutSeconds: Patience.seconds) else { return .unavailable }
    do {
      switch try client.call(method, params) {
      case .success(let result):
        let isRefused = change == .imported && result["imported"]?.integer != 1
        return isRefused ? .impossible("\(result)") : .done
      case .failure(let error) where error.reason == "store.unavailable":
        return error.data["pending"] == nil ? .unavailable : .unknown
      case .failure(let error):
        return error.reason == "account.notFound" && change == .deleted ? .wasDone : .impossible("\(error.source)")
      }
    } catch {
      return .unknown
    }
  }

  private static func record(_ account: StoredAccount) -> JSONValue {
    [
      "email": .string(account.account.email.typed), "passwordHash": .string(hash),
      "id": .string(account.account.id.description),
    ]
  }

  private static func entries(
    _ socket: String, after: Int, limit: Int
  ) throws -> (page: [Entry], next: Int?) {
    let client = try RegdClient(path: socket, timeoutSeconds: Patience.seconds)
    let answer = try client.call("events.list", ["after": .number("\(after)"), "limit": .number("\(limit)")]).get()
    let page = (answer["events"]?.array ?? []).map { entry in
      Entry(
        entry["entry"]?.integer ?? 0, AuditEntry.Change(rawValue: entry["event"]?.string ?? "") ?? .resumed,
        entry["email"]?.string ?? "")
    }
    return (page, answer["next"]?.integer)
  }

  /// Compares the ledger with all entries and accounts of a regd.
  ///
  /// - Returns: The differences.
  func problems(at socket: String) throws -> [String] {
    var entries: [Entry] = []
    var after: Int? = 0
    while let from = after {
      let (page, next) = try Self.entries(socket, after: from, limit: 1000)
      entries += page
      after = next
    }
    let client = try RegdClient(path: socket, timeoutSeconds: Patience.seconds)
    var found: [String: Account.State] = [:]
    var position: JSONValue = .null
    repeat {
      let limit = JSONValue.Member("limit", .number("1000"))
      let page = try client.call(
        "account.list", .object(position == .null ? [limit] : [limit, .init("after", position)])
      ).get()
      for account in page["accounts"]?.array ?? [] {
        found[account["email"]?.string ?? ""] = Account.State(rawValue: account["state"]?.string ?? "")
      }
      position = page["next"] ?? .null
    } while position != .null
    return problems(entries, found)
  }

  /// As `run`, for a thread that may block.
  func runHere(whenAcknowledged few: Int, _ trouble: @escaping @Sendable () throws -> Void) throws {
    let ended = try EventCounter()
    let result = Mutex(Result<Void, any Error>.success(()))
    Task.detached { [self] in
      do { try await run(whenAcknowledged: few) { try trouble() } } catch { result.withLock { $0 = .failure(error) } }
      ended.signal()
    }
    ended.wait()
    try result.withLock { $0 }.get()
  }
}
