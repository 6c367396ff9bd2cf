import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// Two callers with one code at the same time: the second finds what the first has done, as a repeat does.
@Suite("One code, two callers")
struct ProvenTwiceTests {
  private let user = ClaimDesk.user(7)

  /// A desk at whose first operation of this kind something else happens before it.
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

  @Test("recovery.finish: both set the same password, and both get the account")
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

  @Test("recovery.finish: of two passwords one is set, and the other caller has no claim any more")
  func recoveredOtherwise() async throws {
    let (desk, meanwhile, claim) = try await recovery()
    meanwhile.plan { _ = await desk.finishRecovery(claim, to: "the first phrase") }
    #expect(await desk.finishRecovery(claim, to: "the second phrase") == .gone)
    guard case .signedIn = await desk.signIn("owner@example.com", "the first phrase") else {
      Issue.record("not the first one's")
      return
    }
  }

  @Test("recovery.finish: a password that an administrator sets meanwhile ends the claim")
  func endedMeanwhile() async throws {
    let (desk, meanwhile, claim) = try await recovery()
    meanwhile.plan {
      guard let account = try? await desk.store.find(EmailKey("owner@example.com"))?.account else { return }
      _ = try? await desk.store.setPassword(
        of: account.id, to: PasswordHash(phc: "plain:administrator"), Stamp(desk.now))
    }
    #expect(await desk.finishRecovery(claim) == .gone)
  }

  @Test("claim.prove of another address: both get the account")
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

/// Something that happens once, when a test's store is asked for something.
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
