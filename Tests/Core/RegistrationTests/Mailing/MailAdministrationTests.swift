import TestDoubles
import Testing

@testable import Registration

/// Administrators' requests to the mail queue, its stop, and failures of its store.
@Suite("Administration and stop of the mail queue")
struct MailAdministrationTests {
  @Test("a mail that does not wait can be neither retried nor discarded nor reported as sent")
  func notThere() async throws {
    let scene = MailScene(system: StagedMail { _ in .refused("no") })
    let refused = try await scene.want(.passwordChanged)
    await scene.round()
    for id in [refused.id, MailID(at: scene.now)] {
      #expect(await scene.queue.retry(id) == .notFound)
      #expect(await scene.queue.discard(id, mayCommit: { true }) == .notFound)
      #expect(await scene.queue.wasSent(id) == .notFound)
    }
    #expect(try await scene.state(of: refused) == .refused)
  }

  @Test("waiting mails are listed in order and in pages, with their tries and the last failure")
  func list() async throws {
    let scene = MailScene(system: StagedMail { _ in .deferred("451 later") })
    var mails: [MailIntent] = []
    for number in 0..<3 {
      mails.append(try await scene.want(.passwordChanged, to: "n\(number)@example.com"))
      scene.clock.pass(.seconds(1))
    }
    let clock = scene.clock
    let before = try await scene.queue.list(after: nil, limit: 2) { clock.now }
    #expect(before.elements.map(\.mail) == Array(mails.prefix(2)) && before.hasMore)
    #expect(before.elements.allSatisfy { $0.attempts == 0 && $0.reason == nil && $0.next == scene.now })
    await scene.round()
    let rest = try await scene.queue.list(after: mails[1].id, limit: 2) { clock.now }
    #expect(rest.elements.map(\.mail) == [mails[2]] && !rest.hasMore)
    #expect(rest.elements.first?.attempts == 1)
    #expect(rest.elements.first?.reason == "deferred: 451 later")
    #expect(try #require(rest.elements.first?.next) > scene.now)
  }

  @Test("a retry of a mail causes one try before its pause is over")
  func retry() async throws {
    let scene = MailScene(system: StagedMail { _ in .deferred("") })
    var mails = [try await scene.want(.passwordChanged)]
    scene.clock.pass(.seconds(1))
    mails.append(try await scene.want(.passwordChanged))
    await scene.round()
    let clock = scene.clock
    #expect(await scene.queue.retry(mails[1].id) { clock.now } == .done)
    await scene.round()
    #expect(try await scene.waiting().map(\.attempts) == [1, 2])
  }

  @Test("a discarded mail is not sent, even if its turn had come")
  func discard() async throws {
    let scene = MailScene(system: StagedMail { _ in .deferred("") })
    let mail = try await scene.want(.passwordChanged)
    #expect(await scene.queue.discard(mail.id, mayCommit: { false }) == .obstructed(.cancelled))
    #expect(try await scene.state(of: mail) == .waiting)
    await scene.system.hold()
    async let round = scene.round()
    await scene.system.reached()
    #expect(await scene.queue.discard(mail.id, mayCommit: { true }) == .done)
    await scene.system.open()
    _ = await round
    await scene.system.conducts { _ in nil }
    scene.clock.pass(.seconds(1000))
    await scene.round()
    #expect(await scene.system.taken.isEmpty)
    #expect(try await scene.state(of: mail) == .refused)
    #expect(scene.told.contains(.refused(mail, "an administrator has discarded it")))
    #expect(scene.queue.waiting == 0)
  }

  @Test("a subscriber's late report ends the mail, and a repeated report is accepted")
  func wasSent() async throws {
    let scene = MailScene(system: StagedMail { _ in .lost })
    let mail = try await scene.want(.passwordChanged)
    await scene.round()
    #expect(await scene.queue.wasSent(mail.id) == .done)
    #expect(await scene.queue.wasSent(mail.id) == .done)
    #expect(try await scene.state(of: mail) == .sent)
    #expect(scene.queue.counts.sent == 1)
    scene.clock.pass(.seconds(1000))
    await scene.round()
    #expect(await scene.system.tries.count == 1)
  }

  @Test("late reports by subscribers show that the mail system works again")
  func wasSentLate() async throws {
    let scene = MailScene(system: StagedMail { _ in .lost })
    var mails: [MailIntent] = []
    for number in 0..<MailOutage.inARow {
      mails.append(try await scene.want(.passwordChanged, to: "n\(number)@example.com"))
    }
    await scene.round()
    var system: MailQueue.Report? { scene.told.last { if case .system = $0 { true } else { false } } }
    #expect(system == .system(.lost))
    for mail in mails { #expect(await scene.queue.wasSent(mail.id) == .done) }
    #expect(system == .system(nil))
  }

  @Test("at the stop, a mail in progress is put off without a counted try, and another regd may send it at once")
  func stopped() async throws {
    let memory = MemoryStore()
    let scene = MailScene(memory.accounts)
    let mail = try await scene.want(.registrationCode)
    await scene.system.hold()
    await withTaskGroup { group in
      group.addTask { await scene.queue.run() }
      await scene.system.reached()
      group.cancelAll()
      await scene.system.open()
    }
    #expect(await scene.system.taken.isEmpty)
    let found = try #require(try await scene.store.find(mail: mail.id))
    #expect(found == StoredMail(mail))
    let colleague = ColleagueStore(memory, Claimant("other"))
    #expect(try await colleague.find(mail: mail.id)?.isClaimedElsewhere == false)
    let next = MailScene(colleague.accounts, clock: scene.clock)
    await next.round()
    #expect(await next.system.taken.map(\.id) == [mail.id])
  }

  @Test("a store that fails at any call loses no mail, and a mail that the mail system accepted is not sent again")
  func failingStore() async throws {
    for call in 1...8 {
      let memory = MemoryStore()
      let faulty = FaultyStore(memory, failing: call, with: .unavailable(detail: "test"))
      let scene = MailScene(faulty.accounts)
      let plain = MailScene(memory.accounts, clock: scene.clock)
      let mail = try await plain.want(.registrationCode)
      for _ in 0..<4 {
        await scene.round()
        scene.clock.pass(.seconds(1000))
      }
      #expect(try await plain.state(of: mail) == .sent, "call \(call)")
      #expect(await scene.system.tries.count == 1, "call \(call)")
      #expect(scene.queue.waiting == 0, "call \(call)")
    }
  }
}
