import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit

@testable import PostgreSQLStore

/// Claims of the same addresses at several stores, one user for each store, and their proofs. Calls without an answer
/// are repeated until they get one.
final class ClaimLoad: Sendable {
  private let stores: [any StoreUnderTest]
  private let count: Int
  private let hasBegun = Atomic(false)
  private let claims = Mutex<[AddressClaim]>([])
  /// The accounts that callers got as answers, by address.
  private let acknowledged = Mutex<[String: AccountID]>([:])

  init(_ stores: [any StoreUnderTest], addresses: Int) {
    self.stores = stores
    count = addresses
  }

  /// - Parameter trouble: Runs during the load, once `few` accounts are acknowledged.
  func run(whenAcknowledged few: Int, _ trouble: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, store) in stores.enumerated() {
        for worker in 0..<3 {
          group.addTask { [self] in
            for index in stride(from: worker, to: count, by: 3) {
              try await prove("load\(index)@example.com", at: store, UInt32(number + 1))
              let isTime = acknowledged.withLock { $0.count } >= few
              if isTime, !hasBegun.exchange(true, ordering: .relaxed) { try await trouble() }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func prove(_ email: String, at store: any StoreUnderTest, _ uid: UInt32) async throws {
    let claim = ClaimCase.claim(email, uid: uid, request: email)
    switch try await eventually({ () async throws(StoreFailure) in try await store.add(claim) }) {
    case .added: break
    case .requestKnown(let known) where known.id == claim.id: break
    case let answer: throw ProgramFailure(description: "\(email) added: \(answer)")
    }
    claims.withLock { $0.append(claim) }
    let stamp = ClaimCase.stamp(1, uid: uid)
    let guess = try await eventually { () async throws(StoreFailure) in
      try await store.accounts.guess(claim.id, ClaimCase.right, stamp)
    }
    guard case .right = guess else { throw ProgramFailure(description: "\(email) guessed: \(guess)") }
    let answer = try await eventually { () async throws(StoreFailure) in
      try await store.prove(claim.id, ClaimCase.account(claim), stamp)
    }
    let holder: AccountID
    switch answer {
    case .added: holder = claim.account
    case .taken(let other): holder = other.account.id
    case .gone, .tooManyWaiting: throw ProgramFailure(description: "\(email): \(answer)")
    }
    let known = acknowledged.withLock { acknowledged in
      let known = acknowledged[email] ?? holder
      acknowledged[email] = known
      return known
    }
    guard known == holder else { throw ProgramFailure(description: "\(email) is \(known) and \(holder)") }
  }

  /// Checks that everything acknowledged exists and that nothing was done twice.
  func check(_ store: any StoreUnderTest) async throws {
    let acknowledged = acknowledged.withLock { $0 }
    let accounts = try await eventually { [count] () async throws(StoreFailure) in
      try await store.list(after: nil, limit: count + 1)
    }
    let listed = Dictionary(accounts.map { ($0.account.email.typed, $0.account.id) }) { first, _ in first }
    guard accounts.count == count, listed == acknowledged else {
      throw ProgramFailure(description: "\(accounts.count) accounts of \(acknowledged.count) that were acknowledged")
    }
    for claim in claims.withLock({ $0 }) {
      let found = try await store.find(claim.id, at: Fixtures.time)
      guard (found?.state == .proven) == (listed[claim.email.typed] == claim.account) else {
        throw ProgramFailure(description: "\(claim.email.typed): \(String(describing: found?.state))")
      }
    }
    let entries = try await store.audit(after: 0, limit: 2 * count)
    guard entries.map(\.number) == Array(1...count), entries.allSatisfy({ $0.email != nil }) else {
      throw ProgramFailure(description: "the audit has \(entries.count) entries of \(count) registrations")
    }
    let mails = try await store.mails(after: nil, limit: 3 * count * stores.count)
    guard Set(mails.map(\.intent.claim)).count == count * stores.count, mails.count == count * stores.count else {
      throw ProgramFailure(description: "\(mails.count) mails of \(count * stores.count) claims")
    }
  }
}
