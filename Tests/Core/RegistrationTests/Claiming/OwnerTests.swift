import TestDoubles
import Testing

@testable import Registration

@Suite("Changes by owners")
struct OwnerTests {
  private let user = ClaimDesk.user(7)

  private func owned(_ terms: VerificationTerms = VerificationTerms(isRequired: true, hasMail: true)) async throws
    -> (ClaimDesk, Account)
  {
    let desk = ClaimDesk(terms)
    switch await desk.register("owner@example.com") {
    case .registered(let account): return (desk, account)
    case .claimed(let claim):
      if case .proven(let account) = await desk.prove(claim) { return (desk, account) }
    case .claimGone, .deferred, .taken, .conflict, .invitationRejected, .obstructed: break
    }
    throw ClaimDesk.Broken(description: "no account")
  }

  private func change(_ desk: ClaimDesk, _ old: String, to new: String) async -> OwnerOutcome {
    await desk.registrar.changePassword(
      "owner@example.com", Fixtures.password(old), to: Fixtures.password(new), confirmation: Fixtures.password(new),
      by: user)
  }

  private func changeEmail(_ desk: ClaimDesk, to new: String, _ password: String = "a fine phrase") async
    -> ClaimOutcome
  {
    await desk.registrar.changeEmail(
      "owner@example.com", Fixtures.password(password), to: new, language: nil, by: user)
  }

  @Test("a wrong password changes nothing, and an invalid new value is reported with its field")
  func refused() async throws {
    let (desk, account) = try await owned()
    #expect(await change(desk, "a wrong phrase", to: "another phrase") == .refused(.rejected))
    guard case .obstructed(.invalid(let problems)) = await change(desk, "a fine phrase", to: "short") else {
      Issue.record("not refused")
      return
    }
    #expect(problems.map(\.field) == [.newPassword])
    let deleted = await desk.registrar.deleteAccount("owner@example.com", Fixtures.password("no"), by: user)
    #expect(deleted == .refused(.rejected))
    #expect(await changeEmail(desk, to: "new@example.com", "a wrong phrase") == .refused(.rejected))
    guard case .obstructed(.invalid(let others)) = await changeEmail(desk, to: "none") else {
      Issue.record("not refused")
      return
    }
    #expect(others.map(\.field) == [.newEmail])
    #expect(try await desk.store.find(account.id)?.account == account)
  }

  @Test("a change of address that began before there was an upstream is off, and stays as it was")
  func begunWithoutUpstream() async throws {
    let (desk, account) = try await owned()
    guard case .claimed(let claim) = await changeEmail(desk, to: "new@example.com") else {
      Issue.record("no claim")
      return
    }
    let later = ClaimDesk(network: FailingNetwork(.offline), store: desk.store)
    #expect(await later.prove(claim) == .obstructed(.off(.changesAtUpstream)))
    #expect(await later.registrar.resend(claim.id, by: user) == .obstructed(.off(.changesAtUpstream)))
    #expect(try await desk.store.find(account.id)?.account == account)
    guard case .proven = await desk.prove(claim) else {
      Issue.record("not proven")
      return
    }
  }

  @Test(
    "with concealment, changes to free and taken addresses get the same answers, also after a new password",
    arguments: [false, true])
  func concealedChange(_ hasUpstreamLater: Bool) async throws {
    let terms = VerificationTerms(isRequired: true, conceals: true, hasMail: true)
    let (desk, _) = try await owned(terms)
    _ = await desk.prove(try await desk.claim("taken@example.com"))
    var claims: [AddressClaim] = []
    for new in ["free@example.com", "taken@example.com"] {
      guard case .claimed(let claim) = await changeEmail(desk, to: new) else {
        throw ClaimDesk.Broken(description: "no claim for \(new)")
      }
      claims.append(claim)
    }
    #expect(claims.map(\.state) == [.open, .decoy])
    if hasUpstreamLater {
      let later = ClaimDesk(terms, network: FailingNetwork(.offline), store: desk.store)
      for claim in claims {
        #expect(await later.prove(claim, "x") == .obstructed(.off(.changesAtUpstream)), "\(claim.state)")
        #expect(await later.registrar.resend(claim.id, by: user) == .obstructed(.off(.changesAtUpstream)))
      }
    } else {
      guard case .account = await change(desk, "a fine phrase", to: "another phrase") else {
        throw ClaimDesk.Broken(description: "the password is not changed")
      }
      for claim in claims {
        #expect(await desk.prove(claim, "x") == .gone, "\(claim.state)")
        #expect(await desk.registrar.resend(claim.id, by: user) == .gone)
      }
    }
  }

  @Test("a new password ends recoveries and changes of address that are in progress")
  func password() async throws {
    let (desk, account) = try await owned()
    let recovery = try await desk.startRecovery("owner@example.com")
    guard case .claimed(let move) = await changeEmail(desk, to: "new@example.com") else {
      Issue.record("no claim")
      return
    }
    guard case .account = await change(desk, "a fine phrase", to: "another phrase") else {
      Issue.record("not changed")
      return
    }
    #expect(await desk.finishRecovery(recovery) == .gone)
    #expect(await desk.prove(move) == .gone)
    #expect(await desk.signIn("owner@example.com", "a fine phrase") == .refused(.rejected))
    guard case .signedIn(let now) = await desk.signIn("owner@example.com", "another phrase") else {
      Issue.record("the new password is refused")
      return
    }
    #expect(now.id == account.id)
    #expect(try await desk.mails().contains("passwordChanged owner@example.com"))
  }

  @Test("a new address becomes the account's after its verification, and the old address gets a mail")
  func email() async throws {
    let (desk, account) = try await owned()
    let squatter = try await desk.claim("new@example.com", by: ClaimDesk.user(9))
    guard case .claimed(let claim) = await changeEmail(desk, to: "New@example.com") else {
      Issue.record("no claim")
      return
    }
    #expect(await desk.signIn("new@example.com") == .refused(.rejected))
    guard case .proven(let moved) = await desk.prove(claim) else {
      Issue.record("not proven")
      return
    }
    #expect(moved.id == account.id)
    #expect(moved.email.typed == "New@example.com")
    #expect(await desk.prove(claim) == .proven(moved))
    #expect(await desk.prove(squatter, by: ClaimDesk.user(9)) == .taken)
    #expect(await desk.signIn("owner@example.com") == .refused(.rejected))
    #expect(try await desk.mails().contains("emailChanged owner@example.com"))
    #expect(await desk.registrar.checkAvailability("owner@example.com", for: .daemon) == .available)
    let audit = try await desk.store.audit(of: account.id, limit: 9)
    #expect(audit.map(\.email) == ["owner@example.com", "New@example.com"])
    #expect(!(await desk.store.sweep(at: desk.now, addressesBefore: desk.now.advanced(by: .seconds(1)), limit: 9)))
    #expect(try await desk.store.audit(of: account.id, limit: 9).map(\.email) == [nil, "New@example.com"])
  }

  @Test("a change to another account's address fails as taken; with concealment, the other owner gets a mail")
  func taken() async throws {
    for conceals in [false, true] {
      let (desk, _) = try await owned(VerificationTerms(isRequired: true, conceals: conceals, hasMail: true))
      _ = await desk.prove(try await desk.claim("other@example.com"))
      let outcome = await changeEmail(desk, to: "other@example.com")
      guard conceals else {
        #expect(outcome == .taken)
        continue
      }
      guard case .claimed(let claim) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(try await desk.mails().contains("registrationTried other@example.com"))
      #expect(await desk.prove(claim) == .codeRejected(attemptsLeft: 4))
    }
  }

  private enum Wish: CaseIterable {
    case deletion
    case claimOfAddress
    case addressAtOnce
    case password
  }

  /// - Returns: Whether it was done.
  private func ask(_ wish: Wish, _ desk: ClaimDesk) async -> Bool {
    switch wish {
    case .deletion:
      await desk.registrar.deleteAccount("owner@example.com", Fixtures.password("a fine phrase"), by: user) == .deleted
    case .claimOfAddress, .addressAtOnce:
      switch await changeEmail(desk, to: "new@example.com") {
      case .claimed, .changed: true
      default: false
      }
    case .password: await change(desk, "a fine phrase", to: "another phrase") != .refused(.rejected)
    }
  }

  @Test(
    "if a password is replaced at any moment of a call, the call fails like one with a wrong password",
    arguments: Wish.allCases)
  private func replaced(wish: Wish) async throws {
    var moment = 0
    while true {
      let script = Replacement(at: moment)
      let desk = ClaimDesk(
        VerificationTerms(isRequired: wish == .claimOfAddress, hasMail: true), store: script.store,
        before: { (_) async throws(StoreFailure) in try await script.next() })
      let hash = try await PlainHasher().hash(Fixtures.password("a fine phrase"))
      let account = Fixtures.account("owner@example.com", hash: hash.phc)
      _ = try await script.store.insert(account)
      let isDone = await ask(wish, desk)
      guard await script.isPlayed else {
        #expect(isDone, "with nothing in between")
        break
      }
      #expect(!isDone, "replaced before operation \(moment)")
      let found = try await script.store.find(account.account.id)
      #expect(found?.account.proven(in: .first) == account.account)
      #expect(found?.passwordHash == Replacement.hash)
      #expect(try await script.store.claims(after: nil, limit: 9, at: desk.now).isEmpty)
      moment += 1
    }
    #expect(moment >= 3, "looked at, compared and changed")
  }

  /// Replaces the owner's password before one operation of the store.
  private actor Replacement {
    static let hash = PasswordHash(phc: "the password of an administrator")
    nonisolated let store = MemoryStore()
    private let moment: Int
    private var operations = 0

    init(at moment: Int) { self.moment = moment }

    var isPlayed: Bool { operations > moment }

    func next() async throws(StoreFailure) {
      operations += 1
      guard operations == moment + 1, let owner = try await store.list(after: nil, limit: 1).first else { return }
      _ = try await store.setPassword(of: owner.account.id, to: Self.hash, Stamp(owner.account.updatedAt))
    }
  }

  /// Changes the password back and forth, and returns the number of waiting notices.
  private func notices(_ desk: ClaimDesk, _ changes: Int) async throws -> Int {
    let phrases = ["a fine phrase", "another phrase"]
    for number in 0..<changes {
      guard case .account = await change(desk, phrases[number % 2], to: phrases[(number + 1) % 2]) else {
        throw ClaimDesk.Broken(description: "change \(number) is refused")
      }
    }
    return try await desk.mails().count { $0.hasPrefix("passwordChanged") }
  }

  @Test("the number of notices to an unverified address stays limited after a reload that requires verification")
  func unprovenNotices() async throws {
    let (desk, account) = try await owned(VerificationTerms(hasMail: true))
    #expect(account.isProven == false)
    let required = ClaimDesk(store: desk.store)
    #expect(try await notices(required, 40) == MailBounds.perAddress + MailBounds.perKnownShare)
  }

  @Test("no notice to a verified address is dropped after a reload that does not require verification")
  func provenNotices() async throws {
    let (desk, account) = try await owned()
    #expect(account.isProven == true)
    for number in 0..<MailBounds.perAddressAtMost {
      _ = try await desk.startRecovery("owner@example.com", by: ClaimDesk.user(8, "o\(number)"))
    }
    let none = ClaimDesk(VerificationTerms(hasMail: true), store: desk.store)
    #expect(try await notices(none, 40) == 40)
  }

  @Test("an account that an administrator makes or imports has an unverified address")
  func madeByAdministrators() async throws {
    let desk = ClaimDesk()
    let administrator = Administrator(
      store: desk.store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(), forgive: { _ in },
      registrar: Reloadable(desk.registrar))
    let phrase = Fixtures.password("a fine phrase")
    let made = await administrator.create(
      AccountDraft(email: "made@example.com", password: phrase, passwordConfirmation: phrase), by: user)
    guard case .account(let account) = made else { throw ClaimDesk.Broken(description: "\(made)") }
    #expect(account.isProven == false)
    let record = ImportRecord(
      email: "imported@example.com", passwordHash: "*", state: nil, createdAt: nil, id: nil)
    #expect(try await administrator.importing([.success(record)], by: user).allSatisfy { $0 == nil })
    let stored = try await desk.store.list(after: nil, limit: 9)
    #expect(stored.map(\.account.isProven) == [false, false])
  }

  @Test("without verification, an address changes at once")
  func atOnce() async throws {
    let (desk, account) = try await owned(VerificationTerms())
    guard case .changed(let moved) = await changeEmail(desk, to: "new@example.com") else {
      Issue.record("not changed")
      return
    }
    #expect(moved.id == account.id)
    #expect(try await desk.mails().isEmpty)
  }

  @Test("a deleted account is gone, together with its claims and mails")
  func deleted() async throws {
    let (desk, account) = try await owned()
    let recovery = try await desk.startRecovery("owner@example.com")
    let outcome = await desk.registrar.deleteAccount("owner@example.com", Fixtures.password("a fine phrase"), by: user)
    #expect(outcome == .deleted)
    #expect(await desk.finishRecovery(recovery) == .gone)
    #expect(try await desk.mails().isEmpty)
    #expect(try await desk.store.find(account.id) == nil)
    #expect(await desk.signIn("owner@example.com") == .refused(.rejected))
  }

  @Test("the deletion of an account also deletes the mails to its former address")
  func deletedAfterChange() async throws {
    let (desk, _) = try await owned()
    let mails = try await desk.store.mails(after: nil, limit: 9).map(\.intent)
    #expect(mails.map(\.kind) == [.registrationCode])
    guard case .claimed(let claim) = await changeEmail(desk, to: "new@example.com") else {
      Issue.record("no claim")
      return
    }
    _ = await desk.prove(claim)
    for mail in mails { _ = try await desk.store.end(mail: mail.id, .sent, reason: nil) }
    let outcome = await desk.registrar.deleteAccount("new@example.com", Fixtures.password("a fine phrase"), by: user)
    #expect(outcome == .deleted)
    for mail in mails { #expect(try await desk.store.find(mail: mail.id) == nil) }
  }

  @Test("an export contains the account and its history")
  func exported() async throws {
    let (desk, account) = try await owned()
    let outcome = await desk.registrar.exportAccount("owner@example.com", Fixtures.password("a fine phrase"), by: user)
    guard case .exported(account, language: nil, let entries, next: nil) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(entries.map(\.change) == [.registered])
  }

  @Test("with an upstream, owners can neither change the address nor delete the account")
  func upstream() async throws {
    let desk = ClaimDesk(network: StagedNetwork())
    #expect(await changeEmail(desk, to: "new@example.com") == .obstructed(.off(.changesAtUpstream)))
    let outcome = await desk.registrar.deleteAccount("owner@example.com", Fixtures.password("x"), by: user)
    #expect(outcome == .obstructed(.off(.changesAtUpstream)))
  }
}
