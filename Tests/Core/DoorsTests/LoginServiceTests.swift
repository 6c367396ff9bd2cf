import LoginVerdicts
import Methods
import Reasons
import Registration
import TestDoubles
import Testing
import WireProtocols

@testable import Doors

struct LoginServiceTests {
  @Test(
    "a login service answers `wrong` to an impossible password, never hashes it, and reports it",
    arguments: ["", "correct horse\0", "correct\0horse"])
  func nobodys(_ password: String) async {
    let stage = await LoginServiceStage()
    #expect(await stage.ask("you@example.org", password) == .wrong)
    #expect(stage.hasher.comparisons == 0)
    #expect(stage.refusals.map(\.reason) == ["rpc.invalidParams"])
    #expect(stage.refusals.first?.requester.door == "mail")
  }

  @Test("a login service answers `wrong` if the name, realm or password is not UTF-8")
  func noText() async {
    let stage = await LoginServiceStage()
    let (you, right) = (Array("you@example.org".utf8), Array(LoginServiceStage.password.utf8))
    for login in [
      Login(name: you, password: right + [0xFF]), Login(name: you + [0xC3], password: right),
      Login(name: Array("you".utf8), realm: Array("example.org".utf8) + [0xFF], password: right),
      Login(name: you, password: [0xED, 0xA0, 0x80]),
    ] {
      #expect(await stage.service().answer(.signIn(login), by: Peer(uid: 7, gid: 7, pid: 9)) == .wrong)
    }
    #expect(stage.hasher.comparisons == 0)
  }

  @Test("a login service completes a name with the realm or the door's domain, and answers `wrong` if both are missing")
  func names() async throws {
    let stage = await LoginServiceStage()
    let right = DoorAnswer.right(DoorAccount(try #require(await stage.account)))
    let here = DoorTerms(domain: "example.org")
    #expect(await stage.ask("you") == .wrong)
    #expect(await stage.ask("you", terms: here) == right)
    #expect(await stage.ask("you", realm: "example.org") == right)
    #expect(await stage.ask("you", realm: "example.com", terms: here) == .wrong)
    #expect(await stage.ask("you@example.org", realm: "example.com", terms: DoorTerms(domain: "a.b")) == right)
    #expect(await stage.ask("", terms: here) == .wrong)
    #expect(await stage.ask("@example.org", terms: here) == .wrong)
  }

  @Test("an account has the same name however its address is typed")
  func oneName() async {
    let stage = await LoginServiceStage()
    for typed in ["you@example.org", "YOU@EXAMPLE.ORG", "ｙｏｕ@example.org", "you@ｅxample.org"] {
      guard case .right(let account) = await stage.ask(typed) else {
        Issue.record("\(typed) is not right")
        continue
      }
      #expect(account.name == "you@example.org")
    }
  }

  @Test("a door with a list of domains answers `wrong` to addresses of other domains, whatever the password")
  func domains() async {
    let stage = await LoginServiceStage()
    #expect(await stage.ask("you@example.org", terms: DoorTerms(domains: ["example.com"])) == .wrong)
    #expect(await stage.ask("you@", terms: DoorTerms(domains: ["example.com"])) == .wrong)
    #expect(stage.hasher.comparisons == 0)
    #expect(await stage.ask("You@EXAMPLE.org", terms: DoorTerms(domains: ["example.org"])).verdict == .right)
  }

  @Test("for a disabled account, the correct password gets `refused` and another one gets `wrong`")
  func disabled() async throws {
    let stage = await LoginServiceStage()
    let account = try #require(await stage.account)
    _ = try await stage.store.setEnabled(account.id, false, Stamp(Fixtures.time))
    #expect(await stage.ask("you@example.org", "other horse") == .wrong)
    #expect(await stage.ask("you@example.org") == .refused(reason: .accountDisabled))
  }

  @Test("a door with groups refuses other accounts after the correct password, and answers `wrong` to another password")
  func groups() async throws {
    let stage = await LoginServiceStage()
    let terms = DoorTerms(groups: .named("staff", "guests"))
    #expect(await stage.ask("you@example.org", "other horse", terms: terms) == .wrong)
    #expect(await stage.ask("nobody@example.org", terms: terms) == .wrong)
    #expect(await stage.ask("you@example.org", terms: terms) == .refused(reason: .groupRequired))
    #expect(stage.refusals.map(\.reason) == ["credentials.rejected", "credentials.rejected", "group.required"])
    await stage.changeGroups(adding: .named("other", "guests"))
    guard case .right(let account) = await stage.ask("you@example.org", terms: terms) else {
      Issue.record("a member does not sign in")
      return
    }
    #expect(account.groups.names == .named("guests", "other"))
    await stage.changeGroups(removing: .named("guests"))
    #expect(await stage.ask("you@example.org", terms: terms) == .refused(reason: .groupRequired))
    #expect(await stage.ask("you@example.org").verdict == .right, "a door without groups is for all accounts")
    _ = try await stage.store.setEnabled(try #require(await stage.account).id, false, Stamp(Fixtures.time))
    #expect(await stage.ask("you@example.org", terms: terms) == .refused(reason: .accountDisabled))
  }

  @Test("within two seconds, the same refusal at a door with groups needs no hash, and ends when the groups change")
  func repeated() async {
    let stage = await LoginServiceStage()
    let staff = DoorTerms(groups: .named("staff"))
    for _ in 0..<3 { #expect(await stage.ask("you@example.org", terms: staff) == .refused(reason: .groupRequired)) }
    #expect(stage.hasher.comparisons == 1)
    #expect(
      await stage.ask("you@example.org", terms: DoorTerms(groups: .named("guests")))
        == .refused(reason: .groupRequired))
    #expect(stage.hasher.comparisons == 2)
    await stage.changeGroups(adding: .named("staff"))
    #expect(await stage.ask("you@example.org", terms: staff).verdict == .right)
    #expect(stage.hasher.comparisons == 3)
  }

  @Test("a login service that skips hashing refuses an account at its next sign-in after it has left the door's groups")
  func memoryOfMember() async {
    let stage = await LoginServiceStage()
    let service = stage.service(DoorTerms(groups: .named("staff")), memory: .seconds(300))
    func ask(_ password: String = LoginServiceStage.password) async -> DoorAnswer {
      await service.answer(
        .signIn(Login(name: Array("you@example.org".utf8), password: Array(password.utf8))),
        by: Peer(uid: 7, gid: 7, pid: 9))
    }
    await stage.changeGroups(adding: .named("staff"))
    for _ in 0..<2 { #expect(await ask().verdict == .right) }
    #expect(stage.hasher.comparisons == 1)
    await stage.changeGroups(removing: .named("staff"))
    #expect(await ask() == .refused(reason: .groupRequired))
    #expect(stage.hasher.comparisons == 1)
    #expect(await ask("other horse") == .wrong)
    await stage.changeGroups(adding: .named("staff"))
    #expect(await ask().verdict == .right)
  }

  @Test("if the store is unavailable, a login gets `away` and is not reported")
  func away() async {
    let stage = await LoginServiceStage(failing: 1)
    #expect(await stage.ask("you@example.org") == .away(reason: .storeUnavailable))
    #expect(stage.refusals.isEmpty, "an unavailable store is not a guess")
  }

  @Test("a look-up finds an account, and finds none for an unknown or invalid name or another domain")
  func find() async throws {
    let stage = await LoginServiceStage()
    let account = try #require(await stage.account)
    let caller = Peer(uid: 7, gid: 7, pid: 9)
    func find(_ name: String, _ terms: DoorTerms = DoorTerms()) async -> DoorAnswer {
      await stage.service(terms).answer(.find(name: Array(name.utf8)), by: caller)
    }
    #expect(await find("YOU@example.org") == .found(DoorAccount(account)))
    #expect(await find("me@example.org") == .none)
    #expect(await find("you@") == .none)
    #expect(await find("you") == .none)
    #expect(await find("you@example.org", DoorTerms(domains: ["example.com"])) == .none)
  }

  @Test("a login service skips hashing for a remembered password until the account is disabled or changes its password")
  func memory() async throws {
    let stage = await LoginServiceStage()
    let service = stage.service(memory: .seconds(300))
    func ask(_ password: String = LoginServiceStage.password) async -> DoorAnswer {
      await service.answer(
        .signIn(Login(name: Array("you@example.org".utf8), password: Array(password.utf8))),
        by: Peer(uid: 7, gid: 7, pid: 9))
    }
    #expect(await ask().verdict == .right)
    #expect(await ask().verdict == .right)
    #expect(stage.hasher.comparisons == 1)
    #expect(await ask("other horse") == .wrong)
    #expect(stage.hasher.comparisons == 2)
    let account = try #require(await stage.account)
    _ = try await stage.store.setEnabled(account.id, false, Stamp(Fixtures.time))
    #expect(await ask() == .refused(reason: .accountDisabled))
    _ = try await stage.store.setEnabled(account.id, true, Stamp(Fixtures.time))
    let other = try await PlainHasher().hash(Password(utf8: Array("third horse".utf8)))
    _ = try await stage.store.setPassword(of: account.id, to: other, Stamp(Fixtures.time))
    #expect(await ask() == .wrong)
  }

  @Test("a sign-in that regd could not judge is `away`, with the reason of the error and its retryAfter")
  func obstructed() {
    let answers: [(Obstacle, DoorAnswer)] = [
      (.throttled(retryAfterSeconds: 9), .away(reason: .rateLimited, retryAfter: 9)),
      (.cancelled, .away(reason: .cancelled)),
      (.hashing(.busy(retryAfterSeconds: 3)), .away(reason: .busy, retryAfter: 3)),
      (.hashing(.unavailable), .away(reason: .internal)),
      (.hashing(.unreadableHash(.missing)), .away(reason: .storeUnavailable)),
      (.network(.offline), .away(reason: .networkOffline)), (.network(.timeout), .away(reason: .networkTimeout)),
      (.store(.unavailable(detail: "")), .away(reason: .storeUnavailable)), (.store(.full), .away(reason: .storeFull)),
      (.store(.readOnly), .away(reason: .storeReadOnly)), (.off(.mail), .away(reason: .featureOff)),
      (.closed, .away(reason: .registrationClosed)), (.tooManyWaiting, .away(reason: .busy, retryAfter: 600)),
      (.invalid([]), .wrong),
    ]
    for (obstacle, answer) in answers {
      #expect(DoorAnswer(OutcomeReplies.failure(of: obstacle)) == answer, "\(obstacle)")
    }
  }

  @Test("every refusal of a sign-in has a verdict, with the reason of the error")
  func refused() {
    let answers: [(SignInRefusal, DoorAnswer)] = [
      (.rejected, .wrong), (.disabled, .refused(reason: .accountDisabled)),
      (.pending, .refused(reason: .accountPending)),
      (.waiting(Fixtures.account("you@example.org").account), .refused(reason: .accountWaiting)),
      (.notMember, .refused(reason: .groupRequired)),
    ]
    for (refusal, answer) in answers {
      #expect(DoorAnswer(OutcomeReplies.failure(of: refusal)) == answer, "\(refusal)")
    }
  }

  @Test("LoginName cuts an origin between characters, repairs it, and returns nil for an empty one")
  func origins() {
    #expect(LoginName.origin([]) == nil)
    #expect(LoginName.origin([0]) == nil)
    let long = LoginName.origin(Array(String(repeating: "é", count: 100).utf8))
    #expect(long?.text == String(repeating: "é", count: 64))
    #expect(LoginName.origin(Array(("x" + String(repeating: "é", count: 100)).utf8))?.text.utf8.count == 127)
    #expect(LoginName.origin([0x31, 0xFF])?.text == "1\u{FFFD}")
    // a port is not part of an origin, at every door
    #expect(LoginName.origin(Array("198.51.100.7:40001".utf8))?.text == "198.51.100.7")
    #expect(LoginName.origin(Array("[2001:db8::7]:40001".utf8))?.text == "2001:db8::/64")
  }

  @Test(
    "a sign-in is valid until its account is disabled, deleted, signed out or given another password",
    arguments: ["disabled", "deleted", "password", "signed out"])
  func endedSignIn(_ change: String) async throws {
    let stage = await LoginServiceStage()
    let caller = Peer(uid: 7, gid: 7, pid: 9)
    guard case .right(let account) = await stage.ask("you@example.org") else {
      Issue.record("the password is right")
      return
    }
    let name = Array("you@example.org".utf8)
    let service = stage.service()
    #expect(await service.answer(.check(account), by: caller) == .found(account))
    #expect(await service.answer(.find(name: name, asker: account), by: caller) == .found(account))
    let requester = Requester(uid: 0, pid: 1)
    let reference = AccountReference.id(account.id)
    switch change {
    case "disabled": _ = await stage.administrator.setEnabled(reference, false, by: requester)
    case "deleted": _ = await stage.administrator.delete(reference, by: requester)
    case "signed out": _ = await stage.administrator.signOut(reference, by: requester)
    default:
      let password = Password(utf8: Array("other correct horse".utf8))
      _ = await stage.administrator.setPassword(reference, password, confirmation: password, by: requester)
    }
    #expect(await service.answer(.check(account), by: caller) == .ended)
    #expect(await service.answer(.find(name: name, asker: account), by: caller) == .ended)
  }
}
