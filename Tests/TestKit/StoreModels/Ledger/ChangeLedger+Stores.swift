package import Registration
import TestDoubles

extension ChangeLedger {
  /// Makes a ledger whose callers use the stores of several regd processes. A caller without an answer looks the change
  /// up, repeats it, or asks another regd.
  ///
  /// - Parameters:
  ///   - reader: The store whose audit is paged through meanwhile.
  ///   - heads: Gets the heads of that audit.
  package convenience init(
    at stores: [Accounts], callers: Int, accounts: Int, seed: Int, reader: Accounts, heads: SeenHeads
  ) {
    self.init(
      [.reserved, .activated, .disabled, .enabled, .deleted], callers: callers, accounts: accounts, seed: seed,
      make: { change, account, caller, chance in
        let store = stores[(caller + (chance == 3 ? 1 : 0)) % stores.count]
        do throws(StoreFailure) {
          return try await Self.make(change, account, at: store)
        } catch {
          guard error.isUnknown else { return error.isUnavailable ? .unavailable : .impossible("\(error)") }
          guard chance < 2 else { return .unknown }
          let found = try await eventually { () async throws(StoreFailure) in try await store.find(account.account.id) }
          return found?.account.state == Self.state(after: change) ? .done : .undone
        }
      },
      read: { after in
        do throws(StoreFailure) {
          let page = try await reader.audit(after: after, limit: 7)
          try await heads.read(at: reader)
          return page.map { Entry($0.number, $0.change, $0.email ?? "") }
        } catch {
          guard error.isTemporary else { throw error }
          return nil
        }
      })
  }

  private static func make(
    _ change: AuditEntry.Change, _ account: StoredAccount, at store: Accounts
  ) async throws(StoreFailure) -> Answer {
    let (id, stamp) = (account.account.id, Stamp(Fixtures.time, by: Requester(uid: 1, pid: 2)))
    let after: Account?
    switch change {
    case .reserved:
      switch try await store.insert(account, request: nil, stamp) {
      case .inserted: return .done
      case .taken(let holder) where holder.account.id == id: return .wasDone
      case let answer: return .impossible("\(answer)")
      }
    case .deleted:
      switch try await store.delete(id, stamp) {
      case .deleted: return .done
      case .gone: return .wasDone
      case let answer: return .impossible("\(answer)")
      }
    case .activated: after = try await store.activate(id, stamp)
    case let change: after = try await store.setEnabled(id, change == .enabled, stamp)
    }
    return after?.state == state(after: change) ? .done : .impossible("\(String(describing: after))")
  }

  /// Checks a store's audit and accounts.
  ///
  /// - Returns: The problems that were found.
  package func problems(at store: Accounts) async throws -> [String] {
    let entries = try await eventually { () async throws(StoreFailure) in
      try await store.audit(after: 0, limit: 100_000)
    }
    let accounts = try await eventually { () async throws(StoreFailure) in
      try await store.list(after: nil, limit: 100_000)
    }
    return problems(
      entries.map { Entry($0.number, $0.change, $0.email ?? "") },
      Dictionary(accounts.map { ($0.account.email.typed, $0.account.state) }) { first, _ in first })
  }
}
