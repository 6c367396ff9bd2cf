import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit

@testable import PostgreSQLStore

/// Concurrent registrations at one or more stores. Each address is requested at every store, under an id of that store.
/// Calls without an answer are repeated until they get one.
final class RegistrationLoad: Sendable {
  private let stores: [any StoreUnderTest]
  private let count: Int
  /// Whether the trouble has begun.
  private let hasBegun = Atomic(false)
  /// The acknowledged accounts, by address.
  private let acknowledged = Mutex<[String: Account]>([:])

  init(_ stores: [any StoreUnderTest], accounts: Int) {
    self.stores = stores
    count = accounts
  }

  /// - Parameter trouble: Runs during the load, once `few` accounts are acknowledged.
  func run(whenAcknowledged few: Int, _ trouble: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        for worker in 0..<4 {
          group.addTask { [self] in
            for index in stride(from: worker, to: count, by: 4) {
              try await register("load\(index)@example.com", at: store, "store \(number)")
              let isTime = acknowledged.withLock { $0.count } >= few
              if isTime, !hasBegun.exchange(true, ordering: .relaxed) { try await trouble() }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// The first answer that an account exists acknowledges it.
  private func register(_ email: String, at store: any StoreUnderTest, _ hash: String) async throws {
    let mine = Fixtures.account(email, hash: hash)
    let answer = try await eventually { () async throws(StoreFailure) in try await store.insert(mine) }
    let holder: Account
    switch answer {
    case .inserted: holder = mine.account
    case .taken(let other): holder = other.account
    case .requestKnown, .invitationRejected, .tooManyWaiting, .releasedMeanwhile:
      throw ProgramFailure(description: "\(email): \(answer)")
    }
    let known = acknowledged.withLock { acknowledged in
      let known = acknowledged[email] ?? holder
      acknowledged[email] = known
      return known
    }
    guard known == holder else { throw ProgramFailure(description: "\(email) is \(known.id) and \(holder.id)") }
  }

  /// Checks that everything acknowledged exists and that nothing was done twice.
  func check(_ store: any StoreUnderTest) async throws {
    let acknowledged = acknowledged.withLock { $0 }
    let accounts = try await eventually { [count] () async throws(StoreFailure) in
      try await store.list(after: nil, limit: count + 1)
    }
    let listed = Dictionary(accounts.map { ($0.account.email.typed, $0.account) }) { first, _ in first }
    guard accounts.count == count, listed == acknowledged else {
      throw ProgramFailure(description: "\(accounts.count) accounts of \(acknowledged.count) that were acknowledged")
    }
    let entries = try await eventually { [count] () async throws(StoreFailure) in
      try await store.audit(after: 0, limit: 2 * count)
    }
    guard entries.map(\.number) == Array(1...count), Set(entries.map(\.account)).count == count else {
      throw ProgramFailure(description: "the audit has \(entries.count) entries of \(count) registrations")
    }
  }
}
