import Dialogues
import JSONRPC
import Methods
import Registration
import TestDoubles
import Testing
import Verdicts

@testable import Doors

struct DoorDeskTests {
  @Test(
    "what can be nobody's password is wrong, is never hashed, and is reported",
    arguments: ["", "correct horse\0", "correct\0horse"])
  func nobodys(_ password: String) async {
    let stage = await DeskStage()
    #expect(await stage.ask("you@example.org", password) == .wrong)
    #expect(stage.hasher.comparisons == 0)
    #expect(stage.refusals.map(\.reason) == ["rpc.invalidParams"])
    #expect(stage.refusals.first?.requester.door == "mail")
  }

  @Test("bytes that are no UTF-8 are wrong, in name, realm and password")
  func noText() async {
    let stage = await DeskStage()
    let (you, right) = (Array("you@example.org".utf8), Array(DeskStage.password.utf8))
    for login in [
      Login(name: you, password: right + [0xFF]), Login(name: you + [0xC3], password: right),
      Login(name: Array("you".utf8), realm: Array("example.org".utf8) + [0xFF], password: right),
      Login(name: you, password: [0xED, 0xA0, 0x80]),
    ] {
      #expect(await stage.desk().answer(.signIn(login), by: Caller(uid: 7, gid: 7, pid: 9)) == .wrong)
    }
    #expect(stage.hasher.comparisons == 0)
  }

  @Test("a name without a domain is completed by the realm, else by the door's domain, and is wrong with neither")
  func names() async throws {
    let stage = await DeskStage()
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

  @Test("however its address is typed, an account has one name")
  func oneName() async {
    let stage = await DeskStage()
    for typed in ["you@example.org", "YOU@EXAMPLE.ORG", "ｙｏｕ@example.org", "you@ｅxample.org"] {
      guard case .right(let account) = await stage.ask(typed) else {
        Issue.record("\(typed) is not right")
        continue
      }
      #expect(account.name == "you@example.org")
    }
  }

  @Test("with a list of domains, addresses of others are wrong, whatever the password")
  func domains() async {
    let stage = await DeskStage()
    #expect(await stage.ask("you@example.org", terms: DoorTerms(domains: ["example.com"])) == .wrong)
    #expect(await stage.ask("you@", terms: DoorTerms(domains: ["example.com"])) == .wrong)
    #expect(stage.hasher.comparisons == 0)
    #expect(await stage.ask("You@EXAMPLE.org", terms: DoorTerms(domains: ["example.org"])).verdict == .right)
  }

  @Test("a disabled account is refused to the right password, and wrong to another")
  func disabled() async throws {
    let stage = await DeskStage()
    let account = try #require(await stage.account)
    _ = try await stage.store.setEnabled(account.id, false, Stamp(Fixtures.time))
    #expect(await stage.ask("you@example.org", "other horse") == .wrong)
    #expect(await stage.ask("you@example.org") == .refused(reason: "account.disabled"))
  }

  @Test("a store that is away is away, for logins and look-ups")
  func away() async {
    let stage = await DeskStage(failing: 1)
    #expect(await stage.ask("you@example.org") == .away(reason: "store.unavailable"))
    #expect(stage.refusals.isEmpty, "nobody guessed")
  }

  @Test("a look-up finds an account in any state, and tells what is no address like what has none")
  func find() async throws {
    let stage = await DeskStage()
    let account = try #require(await stage.account)
    let caller = Caller(uid: 7, gid: 7, pid: 9)
    func find(_ name: String, _ terms: DoorTerms = DoorTerms()) async -> DoorAnswer {
      await stage.desk(terms).answer(.find(name: Array(name.utf8)), by: caller)
    }
    #expect(await find("YOU@example.org") == .found(DoorAccount(account)))
    #expect(await find("me@example.org") == .none)
    #expect(await find("you@") == .none)
    #expect(await find("you") == .none)
    #expect(await find("you@example.org", DoorTerms(domains: ["example.com"])) == .none)
  }

  @Test("a remembered password spares the hash, until the account has another one or is disabled")
  func memory() async throws {
    let stage = await DeskStage()
    let desk = stage.desk(memory: .seconds(300))
    func ask(_ password: String = DeskStage.password) async -> DoorAnswer {
      await desk.answer(
        .signIn(Login(name: Array("you@example.org".utf8), password: Array(password.utf8))),
        by: Caller(uid: 7, gid: 7, pid: 9))
    }
    #expect(await ask().verdict == .right)
    #expect(await ask().verdict == .right)
    #expect(stage.hasher.comparisons == 1)
    #expect(await ask("other horse") == .wrong)
    #expect(stage.hasher.comparisons == 2)
    let account = try #require(await stage.account)
    _ = try await stage.store.setEnabled(account.id, false, Stamp(Fixtures.time))
    #expect(await ask() == .refused(reason: "account.disabled"))
    _ = try await stage.store.setEnabled(account.id, true, Stamp(Fixtures.time))
    let other = try await PlainHasher().hash(Password(utf8: Array("third horse".utf8)))
    _ = try await stage.store.setPassword(of: account.id, to: other, Stamp(Fixtures.time))
    #expect(await ask() == .wrong)
  }

  @Test("the verdict of every outcome is that of its reason")
  func verdicts() throws {
    let account = Fixtures.account("you@example.org").account
    let obstacles: [Obstacle] = [
      .invalid([]), .throttled(retryAfterSeconds: 1), .cancelled, .hashing(.busy(retryAfterSeconds: 1)),
      .hashing(.unavailable), .hashing(.unreadableHash(.missing)), .network(.offline), .network(.timeout),
      .store(.unavailable(detail: "")), .store(.full), .store(.readOnly), .off(.mail), .closed, .tooManyWaiting,
    ]
    let outcomes: [SignInOutcome] =
      [.refused(.rejected), .refused(.disabled), .refused(.pending), .refused(.waiting(account))]
      + obstacles.map { .obstructed($0) }
    for outcome in outcomes where outcome != .obstructed(.closed) {
      let reason = try #require(OutcomeReplies.error(of: outcome)?.reason.name)
      #expect(DoorAnswer.verdict(of: outcome) == Verdict(reason: reason), "\(reason)")
    }
  }

  @Test("an origin is cut between characters, repaired, and none if it is empty")
  func origins() {
    #expect(LoginName.origin([]) == nil)
    #expect(LoginName.origin([0]) == nil)
    let long = LoginName.origin(Array(String(repeating: "é", count: 100).utf8))
    #expect(long?.text == String(repeating: "é", count: 64))
    #expect(LoginName.origin(Array(("x" + String(repeating: "é", count: 100)).utf8))?.text.utf8.count == 127)
    #expect(LoginName.origin([0x31, 0xFF])?.text == "1\u{FFFD}")
    // from whatever door it comes, a port is no part of it
    #expect(LoginName.origin(Array("198.51.100.7:40001".utf8))?.text == "198.51.100.7")
    #expect(LoginName.origin(Array("[2001:db8::7]:40001".utf8))?.text == "2001:db8::/64")
  }

  @Test(
    "a sign-in is valid until its account is disabled, deleted, signed out, or has another password",
    arguments: ["disabled", "deleted", "password", "signed out"])
  func endedSignIn(_ change: String) async throws {
    let stage = await DeskStage()
    let caller = Caller(uid: 7, gid: 7, pid: 9)
    guard case .right(let account) = await stage.ask("you@example.org") else {
      Issue.record("the password is right")
      return
    }
    let name = Array("you@example.org".utf8)
    let desk = stage.desk()
    #expect(await desk.answer(.check(account), by: caller) == .found(account))
    #expect(await desk.answer(.find(name: name, asker: account), by: caller) == .found(account))
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
    #expect(await desk.answer(.check(account), by: caller) == .ended)
    #expect(await desk.answer(.find(name: name, asker: account), by: caller) == .ended)
  }
}
