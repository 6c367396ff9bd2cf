import TestDoubles
import Testing

@testable import Registration

/// Several regd processes over one store, and a regd that dies.
@Suite("Mails of several regd processes")
struct SharedMailTests {
  @Test(
    "after a kill at any call of the store, a mail is sent once or twice with one Message-ID, and never lost")
  func killed() async throws {
    for kind in [MailKind.registrationCode, .passwordChanged] {
      for after in [false, true] {
        var isOver = true
        var call = 0
        while isOver {
          call += 1
          let memory = MemoryStore()
          let life = Life(diesAt: call, after: after)
          let scene = MailScene(memory.accounts.until(endOf: life))
          let next = MailScene(memory.accounts, clock: scene.clock, system: scene.system)
          let mail = try await next.want(kind)
          // the code is also replaced
          scene.clock.pass(.seconds(1000))
          await scene.round()
          isOver = await life.isOver
          await next.round()
          let context: Comment = "\(kind), call \(call), after \(after)"
          let taken = await scene.system.taken
          #expect((1...2).contains(taken.count), context)
          #expect(Set(taken.map(\.id)) == [mail.id], context)
          #expect(Set(taken.map(\.subject)).count == 1 && Set(taken.map(\.date)).count == 1, context)
          #expect(try await next.state(of: mail) == .sent, context)
          if let claim = try await next.claim(of: mail) {
            #expect(claim.generation == 2, context)
            for mail in taken {
              #expect(next.codes.isRight(try MailScene.code(in: mail), for: claim), context)
            }
          }
        }
        #expect(call > 3, "the calls were counted")
      }
    }
  }

  @Test("if regd is killed between sending and noting a mail, the mail is sent twice with the same Message-ID")
  func killedBetween() async throws {
    let memory = MemoryStore()
    // its three calls read, lease and end the mail
    let scene = MailScene(memory.accounts.until(endOf: Life(diesAt: 3, after: false)))
    let next = MailScene(memory.accounts, clock: scene.clock, system: scene.system)
    let mail = try await next.want(.passwordChanged)
    await scene.round()
    #expect(try await next.state(of: mail) == .waiting)
    await next.round()
    let taken = await scene.system.taken
    #expect(taken.map(\.id) == [mail.id, mail.id])
    #expect(taken[0] == taken[1])
  }

  @Test("another regd does not send a leased mail before the lease has expired")
  func leased() async throws {
    let clock = MailClock()
    let memory = MemoryStore(Claimant("dead", lease: .seconds(35)), now: { clock.now })
    let dead = MailScene(memory.accounts, clock: clock)
    let mail = try await dead.want(.passwordChanged)
    _ = try await memory.lease(mail: mail.id)
    let other = MailScene(ColleagueStore(memory, Claimant("other")).accounts, clock: clock)
    await other.round()
    clock.pass(.seconds(34))
    await other.round()
    #expect(await other.system.tries.isEmpty)
    #expect(try await other.waiting().map(\.attempts) == [0])
    clock.pass(.seconds(2))
    await other.round()
    #expect(await other.system.taken.map(\.id) == [mail.id])
  }

  @Test("another regd keeps the pause that one regd has noted, and continues its count")
  func noted() async throws {
    let clock = MailClock()
    let memory = MemoryStore(now: { clock.now })
    let system = StagedMail { _ in .deferred("451") }
    let settings = DeliverySettings(firstPause: .seconds(100), maximumPause: .seconds(1000), readingPause: .zero)
    let one = MailScene(memory.accounts, clock: clock, system: system, settings: settings)
    let other = MailScene(
      ColleagueStore(memory, Claimant("other")).accounts, clock: clock, system: system, settings: settings)
    let mail = try await one.want(.passwordChanged)
    // both know the mail
    try await other.queue.look()
    await one.round()
    await other.round()
    #expect(await system.tries.count == 1)
    clock.pass(.seconds(101))
    await other.round()
    #expect(await system.tries.count == 2)
    #expect(try await one.store.find(mail: mail.id)?.attempts == 2)
    await one.round()
    #expect(await system.tries.count == 2)
  }
}
