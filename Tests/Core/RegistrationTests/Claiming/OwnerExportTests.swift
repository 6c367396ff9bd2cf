import TestDoubles
import Testing

@testable import Registration

@Suite("Exports by owners")
struct OwnerExportTests {
  private let user = ClaimDesk.user(7)

  /// Registers an account and exports it. The account changes before its history is read for the first time.
  private func exported(
    changing change: @escaping @Sendable (MemoryStore, Account) async throws(StoreFailure) -> Void
  ) async throws -> (outcome: OwnerOutcome, account: Account, asked: Int) {
    let (store, asked) = (MemoryStore(), Asked())
    let desk = ClaimDesk(
      VerificationTerms(hasMail: true), store: store,
      before: { (operation) async throws(StoreFailure) in
        guard operation == .auditOf else { return }
        asked.note(operation)
        guard asked.all.count == 1, let account = try await store.find(EmailKey("owner@example.com")) else { return }
        try await change(store, account.account)
      })
    guard case .registered(let account) = await desk.register("owner@example.com") else {
      throw ClaimDesk.Broken(description: "no account")
    }
    let outcome = await desk.registrar.exportAccount("owner@example.com", Fixtures.password("a fine phrase"), by: user)
    return (outcome, account, asked.all.count)
  }

  @Test("an account that changes between sign-in and export is exported with the change and its audit entry")
  func changed() async throws {
    let (outcome, account, asked) = try await exported { (store, account) async throws(StoreFailure) in
      let later = account.updatedAt.advanced(by: .seconds(1))
      _ = try await store.setEnabled(account.id, false, Stamp(later))
      _ = try await store.setEnabled(account.id, true, Stamp(later))
    }
    guard case .exported(let exported, language: nil, let entries, next: nil) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(exported.updatedAt == account.updatedAt.advanced(by: .seconds(1)))
    #expect(entries.map(\.change) == [.registered, .disabled, .enabled])
    #expect(asked == 1)
  }

  @Test("an account that is disabled between sign-in and export is not exported")
  func disabled() async throws {
    let (outcome, _, asked) = try await exported { (store, account) async throws(StoreFailure) in
      _ = try await store.setEnabled(account.id, false, Stamp(account.updatedAt))
    }
    #expect(outcome == .refused(.disabled))
    #expect(asked == 1)
  }

  @Test("a password that was replaced between sign-in and export does not export the account")
  func replaced() async throws {
    let (outcome, _, asked) = try await exported { (store, account) async throws(StoreFailure) in
      _ = try await store.setPassword(of: account.id, to: PasswordHash(phc: "plain:another"), Stamp(account.updatedAt))
    }
    #expect(outcome == .refused(.rejected))
    #expect(asked == 1)
  }

  @Test("a long history is exported in pages, the oldest entry first, each entry once")
  func pages() async throws {
    let desk = ClaimDesk(VerificationTerms(hasMail: true))
    guard case .registered(let account) = await desk.register("owner@example.com") else {
      throw ClaimDesk.Broken(description: "no account")
    }
    let entries = 2 * Registrar.longestExport + 1
    for number in 1..<entries {
      _ = try await desk.store.setEnabled(account.id, number % 2 == 0, Stamp(account.updatedAt))
    }
    _ = await desk.register("other@example.com")
    var (found, after, pages): ([AuditEntry], Int?, Int) = ([], 0, 0)
    while let from = after {
      let outcome = await desk.registrar.exportAccount(
        "owner@example.com", Fixtures.password("a fine phrase"), after: from, by: user)
      guard case .exported(_, _, let page, let next) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      found += page
      (after, pages) = (next, pages + 1)
    }
    #expect(pages == 3)
    #expect(found == (try await desk.store.audit(of: account.id, limit: 9999)))
  }
}
