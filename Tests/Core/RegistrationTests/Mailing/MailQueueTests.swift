import StoreConformance
import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("The mail queue")
struct MailQueueTests {
  @Test("without a mail system all mails wait, and a retry returns an error")
  func noSystem() async throws {
    let scene = MailScene(hasSystem: false)
    let mail = try await scene.want(.passwordChanged)
    await scene.round()
    #expect(try await scene.state(of: mail) == .waiting)
    #expect(scene.queue.waiting == 1)
    #expect(await scene.queue.retry(nil) == .obstructed(.off(.mail)))
    #expect(await scene.system.tries.isEmpty)
  }

  @Test("a mail beyond the limit of its address is never sent and leaves nothing behind")
  func bounded() async throws {
    let scene = MailScene()
    var bounded: [MailIntent] = []
    for _ in 0..<MailBounds.perAddress + 1 {
      bounded.append(try await scene.want(.registrationTried, to: "b@example.com"))
    }
    await scene.round()
    #expect(await scene.system.taken.count == MailBounds.perAddress)
    #expect(try await scene.state(of: try #require(bounded.last)) == nil)
  }

  @Test("a code mail is sent once, with the claim's code, and a restarted queue does not send it again")
  func sent() async throws {
    let scene = MailScene()
    let mail = try await scene.want(.registrationCode)
    await scene.round()
    let sent = try #require(await scene.system.taken.first)
    let claim = try #require(try await scene.claim(of: mail))
    #expect(claim.generation == 1, "its code is still valid")
    #expect(scene.codes.isRight(try MailScene.code(in: sent), for: claim))
    #expect(sent.id == mail.id && sent.from == "regd@example.com" && sent.date == mail.createdAt)
    #expect(try await scene.state(of: mail) == .sent)
    #expect(scene.told == [.system(nil), .sent(mail, attempts: 1)])
    #expect(scene.queue.counts.sent == 1)
    scene.clock.pass(.seconds(1000))
    await scene.round()
    await MailScene(scene.store, clock: scene.clock, system: scene.system).round()
    #expect(await scene.system.tries.count == 1)
  }

  @Test(
    "a mail whose claim has ended is not sent",
    arguments: [AddressClaim.State.proven, .taken, nil])
  func outdated(_ state: AddressClaim.State?) async throws {
    let scene = MailScene()
    let mail = try await scene.want(.registrationCode)
    let claim = try #require(try await scene.claim(of: mail))
    let other = Fixtures.account("name@example.com")
    let own = Account(
      id: claim.account, email: claim.email, state: .active, createdAt: scene.now, updatedAt: scene.now)
    switch state {
    case .proven?:
      _ = try await scene.store.prove(
        claim.id, StoredAccount(account: own, passwordHash: PasswordHash(phc: "x")), Stamp(scene.now))
    case .taken?: _ = try await scene.store.insert(other)
    case .open?, .decoy?, nil: try await scene.store.end(claim.id)
    }
    #expect(try await scene.claim(of: mail)?.state == state)
    await scene.round()
    #expect(await scene.system.tries.isEmpty)
    #expect(try await scene.state(of: mail) == .outdated)
    #expect(scene.told == [.outdated(mail)])
    #expect(scene.queue.waiting == 0 && scene.queue.counts.outdated == 1)
  }

  @Test("a code that has expired or expires soon is replaced before it is mailed, and no code outlives its claim")
  func renewed() async throws {
    for (waited, generation) in [(809, 1), (811, 2), (5000, 2)] {
      let scene = MailScene()
      let mail = try await scene.want(.registrationCode)
      scene.clock.pass(.seconds(waited))
      await scene.round()
      let claim = try #require(try await scene.claim(of: mail))
      #expect(claim.generation == generation, "after \(waited) s")
      #expect(claim.codeUntil == (generation == 1 ? mail.createdAt : scene.now).advanced(by: .seconds(900)))
      let code = try MailScene.code(in: await scene.system.taken.first)
      #expect(scene.codes.isRight(code, for: claim))
    }
    // a recovery expires with its code, so a new code would gain nothing
    let scene = MailScene()
    let mail = try await scene.want(.recoveryCode, life: .seconds(900))
    scene.clock.pass(.seconds(850))
    await scene.round()
    #expect(try await scene.claim(of: mail)?.generation == 1)
    #expect(await scene.system.taken.count == 1)
  }

  @Test(
    "while codes are guessed, a code that is replaced before it is mailed becomes a long one", arguments: [true, false])
  func renewedAmongGuesses(_ atAddress: Bool) async throws {
    let scene = MailScene()
    let mail = try await scene.want(.registrationCode)
    scene.clock.pass(.seconds(1000))
    let flood = ClaimScene.claim(.recovery, atAddress ? "name@example.com" : "flood@example.com", at: 1000)
    _ = try await scene.store.add(flood, ClaimScene.mail(flood), Stamp(scene.now))
    for _ in 0..<(atAddress ? CodeBounds.perAddress(5) : CodeBounds.all) {
      _ = try await scene.store.guess(flood.id, ClaimScene.guess(false, attempts: 5000), Stamp(scene.now))
    }
    await scene.round()
    let claim = try #require(try await scene.claim(of: mail))
    #expect(claim.generation == 2 && claim.digits == CodeBounds.longDigits)
  }

  @Test("if a resend replaces a code at the same moment, the mail contains the new code")
  func renewedMeanwhile() async throws {
    let store = MemoryStore()
    let scene = MailScene(
      store.accounts.preparing { operation throws(StoreFailure) in
        guard operation == .renewClaim,
          let claim = try await store.claims(after: nil, limit: 1, at: Fixtures.time).first,
          claim.generation == 1
        else { return }
        var other = claim
        (other.generation, other.codeUntil) = (2, Fixtures.time.advanced(by: .seconds(9000)))
        _ = try await store.renew(other, seen: claim, nil, Stamp(Fixtures.time))
      })
    let mail = try await scene.want(.registrationCode)
    scene.clock.pass(.seconds(1000))
    await scene.round()
    let claim = try #require(try await scene.claim(of: mail))
    #expect(claim.generation == 2)
    let code = try MailScene.code(in: await scene.system.taken.first)
    #expect(scene.codes.isRight(code, for: claim))
  }

  @Test("a mail that is refused for good ends with the mail system's message, and delays no other mail")
  func refused() async throws {
    let scene = MailScene(
      system: StagedMail { $0.to.typed == "gone@example.com" ? .refused("550 no\r\nsuch user") : nil })
    let gone = try await scene.want(.registrationCode, to: "gone@example.com")
    let good = try await scene.want(.registrationCode)
    await scene.round()
    scene.clock.pass(.seconds(100_000))
    await scene.round()
    #expect(await scene.system.tries.count == 2)
    #expect(try await scene.state(of: gone) == .refused)
    #expect(try await scene.store.find(mail: gone.id)?.reason == "550 no  such user", "in one line")
    #expect(try await scene.state(of: good) == .sent)
    #expect(scene.told.contains(.refused(gone, "550 no  such user")))
  }

  @Test(
    "if one mail is deferred or lost, only that mail waits, with growing pauses that survive a restart",
    arguments: [MailFailure.deferred("450 greylisted"), .lost])
  func delayed(_ failure: MailFailure) async throws {
    let scene = MailScene(system: StagedMail { $0.to.typed == "slow@example.com" ? failure : nil })
    let slow = try await scene.want(.registrationCode, to: "slow@example.com")
    for number in 0..<20 { try await scene.want(.passwordChanged, to: "n\(number)@example.com") }
    await scene.round()
    #expect(await scene.system.taken.count == 20)
    let first = try #require(try await scene.store.find(mail: slow.id))
    #expect(first.attempts == 1 && first.reason == failure.description)
    let least: Duration = failure == .lost ? .seconds(300) : .seconds(1)
    #expect(try #require(first.next) >= scene.now.advanced(by: least), "at least half of the pause")
    #expect(!first.isClaimedElsewhere)
    for tries in 2...12 {
      scene.clock.pass(.seconds(300))
      await scene.round()
      #expect(try await scene.store.find(mail: slow.id)?.attempts == tries)
    }
    // not before its time, not even in another process
    let next = MailScene(scene.store, clock: scene.clock, system: scene.system)
    await next.round()
    #expect(await scene.system.tries.count == 32)
    #expect(try await next.waiting().first?.attempts == 12)
    await scene.system.conducts { _ in nil }
    scene.clock.pass(.seconds(301))
    await next.round()
    #expect(try await scene.state(of: slow) == .sent)
    #expect(Set(await scene.system.tries.filter { $0.to == slow.to }.map(\.id)) == [slow.id], "one Message-ID")
  }

  @Test("a wake reads only new mails and not all waiting mails")
  func glance() async throws {
    let reads = Mutex(0)
    let clock = MailClock()
    let memory = MemoryStore(now: { clock.now })
    let scene = MailScene(
      memory.accounts.preparing { operation throws(StoreFailure) in
        if operation == .mails { reads.withLock { $0 += 1 } }
      },
      clock: clock,
      system: StagedMail { _ in .deferred("") })
    for number in 0..<1000 { try await scene.want(.passwordChanged, to: "a\(number)@example.com") }
    clock.pass(.seconds(30))
    try await scene.want(.passwordChanged, to: "last@example.com")
    await scene.round()
    #expect(reads.withLock { $0 } > 9)
    clock.pass(.seconds(30))
    let late = try await scene.want(.registrationCode, to: "late@example.com")
    let before = reads.withLock { $0 }
    scene.queue.wake()
    await scene.round()
    #expect(reads.withLock { $0 } <= before + 1)
    #expect(await scene.system.tries.contains { $0.id == late.id })
  }
}
