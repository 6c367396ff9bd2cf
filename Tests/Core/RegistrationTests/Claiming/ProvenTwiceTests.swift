import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// Two callers use one code at the same time: the second caller finds the result of the first, as a repeat does.
@Suite("One code, two callers")
struct ProvenTwiceTests {
  private let user = ClaimDesk.user(7)

  /// A desk where the planned action runs before the first operation of this kind.
  private func desk(_ operation: StoreOperation) -> (desk: ClaimDesk, meanwhile: Meanwhile) {
    let meanwhile = Meanwhile()
    let desk = ClaimDesk(
      VerificationTerms(hasMail: true),
      before: { (begun) async throws(StoreFailure) in if begun == operation { await meanwhile.happen() } })
    return (desk, meanwhile)
  }

  private func recovery() async throws -> (desk: ClaimDesk, meanwhile: Meanwhile, claim: AddressClaim) {
    let (desk, meanwhile) = desk(.recover)
    _ = await desk.register("owner@example.com")
    return (desk, meanwhile, try await desk.startRecovery("owner@example.com"))
  }

  @Test("two calls of recovery.finish with the same password both return the account")
  func recovered() async throws {
    let (desk, meanwhile, claim) = try await recovery()
    let first = Mutex<ProofOutcome?>(nil)
    meanwhile.plan {
      let outcome = await desk.finishRecovery(claim)
      first.withLock { $0 = outcome }
    }
    let second = await desk.finishRecovery(claim)
    guard case .proven(let account) = second else {
      Issue.record("\(second)")
      return
    }
    #expect(first.withLock { $0 } == .proven(account))
    #expect(await desk.signIn("owner@example.com", "another phrase") == .signedIn(account))
  }

  @Test("of two calls of recovery.finish with different passwords, one sets its password and the other returns gone")
  func recoveredOtherwise() async throws {
    let (desk, meanwhile, claim) = try await recovery()
    meanwhile.plan { _ = await desk.finishRecovery(claim, to: "the first phrase") }
    #expect(await desk.finishRecovery(claim, to: "the second phrase") == .gone)
    guard case .signedIn = await desk.signIn("owner@example.com", "the first phrase") else {
      Issue.record("not the first one's")
      return
    }
  }

  @Test("a password that an administrator sets during recovery.finish ends the claim")
  func endedMeanwhile() async throws {
    let (desk, meanwhile, claim) = try await recovery()
    meanwhile.plan {
      guard let account = try? await desk.store.find(EmailKey("owner@example.com"))?.account else { return }
      _ = try? await desk.store.setPassword(
        of: account.id, to: PasswordHash(phc: "plain:administrator"), Stamp(desk.now))
    }
    #expect(await desk.finishRecovery(claim) == .gone)
  }

  @Test("two calls of claim.prove for a new address both return the account")
  func changed() async throws {
    let (desk, meanwhile) = desk(.changeEmail)
    guard case .registered = await desk.register("owner@example.com") else {
      Issue.record("no account")
      return
    }
    let proving = ClaimDesk(store: desk.store)
    let begun = await proving.registrar.changeEmail(
      "owner@example.com", Fixtures.password("a fine phrase"), to: "new@example.com", language: nil, by: user)
    guard case .claimed(let claim) = begun else {
      Issue.record("\(begun)")
      return
    }
    let first = Mutex<ProofOutcome?>(nil)
    meanwhile.plan {
      let outcome = await proving.prove(claim)
      first.withLock { $0 = outcome }
    }
    let second = await desk.prove(claim)
    guard case .proven(let account) = second else {
      Issue.record("\(second)")
      return
    }
    #expect(account.email.typed == "new@example.com")
    #expect(first.withLock { $0 } == .proven(account))
  }
}

/// An action that runs once, when a test's store gets an operation.
final class Meanwhile: Sendable {
  private let body = Mutex<(@Sendable () async -> Void)?>(nil)

  func plan(_ body: @escaping @Sendable () async -> Void) { self.body.withLock { $0 = body } }

  func happen() async {
    let body = body.withLock { body in
      defer { body = nil }
      return body
    }
    await body?()
  }
}
