import Dispatch
import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Outages of the mail system")
struct MailOutageTests {
  /// Runs rounds as the queue's own loop does, with the staged clock, until `end`.
  private func run(_ scene: MailScene, until end: Duration) async {
    while scene.clock.passed < end {
      let pause = await scene.round()
      scene.clock.pass(min(pause, max(.milliseconds(1), end - scene.clock.passed)))
    }
  }

  @Test(
    "in an outage of an hour regd makes few tries and loses no mail, and then sends all mails with valid codes"
  )
  func hour() async throws {
    let scene = MailScene(system: StagedMail { _ in .offline })
    var wanted: [MailIntent] = []
    for minute in 0..<60 {
      for uid in UInt32(1)...3 {
        let kind: MailKind = (minute + Int(uid)).isMultiple(of: 2) ? .registrationCode : .passwordChanged
        wanted.append(try await scene.want(kind, to: "n\(minute)@u\(uid).example", uid: uid))
      }
      scene.queue.wake()
      await run(scene, until: .seconds(60 * (minute + 1)))
    }
    let tried = await scene.system.tries.count
    #expect((15..<50).contains(tried), "one at a time, with growing pauses: \(tried)")
    #expect(await scene.system.mostAtOnce <= MailQueue.width)
    #expect(try await scene.waiting().count == 180)
    #expect(try await scene.waiting().allSatisfy { $0.next <= scene.now.advanced(by: .seconds(300)) })
    await scene.system.conducts { _ in nil }
    await run(scene, until: .seconds(3600 + 305))
    for mail in wanted { #expect(try await scene.state(of: mail) == .sent) }
    let taken = await scene.system.taken
    #expect(taken.count == 180 && Set(taken.map(\.id)).count == 180)
    // codes and notices of one user take turns
    for uid in UInt32(1)...3 {
      let kinds = taken.filter { $0.to.typed.hasSuffix("@u\(uid).example") }.map(\.kind.isCode)
      let codes = kinds.prefix(20).count { $0 }
      #expect((5...15).contains(codes), "codes among the first of user \(uid): \(kinds)")
    }
    // users take turns: each user has a share of the first thirty mails
    for uid in UInt32(1)...3 {
      #expect(taken.prefix(30).count { $0.to.typed.hasSuffix("@u\(uid).example") } > 6)
    }
    for (mail, intent) in taken.compactMap({ mail in wanted.first { $0.id == mail.id }.map { (mail, $0) } })
    where mail.kind.isCode {
      let claim = try #require(try await scene.claim(of: intent))
      #expect(scene.codes.isRight(try MailScene.code(in: mail), for: claim))
      #expect(claim.codeUntil > Fixtures.time.advanced(by: .seconds(3600 + 80)), "the code is valid when it arrives")
    }
  }

  @Test(
    "a failure of the mail system delays all mails, and single probes show whether it is back",
    arguments: [MailFailure.offline, .timeout, .untrusted, .unusable("no such program")])
  func probes(_ failure: MailFailure) async throws {
    let scene = MailScene(system: StagedMail { _ in failure })
    for number in 0..<50 { try await scene.want(.registrationCode, to: "n\(number)@example.com") }
    await scene.round()
    var tries = await scene.system.tries.count
    #expect(tries <= 2 * MailQueue.width, "a few tries are in progress when the first fails")
    var pauses: [Int] = []
    for _ in 0..<12 {
      let before = tries
      var seconds = 0
      while tries == before {
        scene.clock.pass(.seconds(1))
        seconds += 1
        await scene.round()
        tries = await scene.system.tries.count
      }
      #expect(tries == before + 1, "one probe")
      pauses.append(seconds)
    }
    #expect(pauses.allSatisfy { $0 <= 302 } && pauses[0] <= 4, "\(pauses)")
    #expect(pauses[11] >= 150, "\(pauses)")
    #expect(scene.told.contains(.system(failure)))
    #expect(scene.told.allSatisfy { if case .refused = $0 { false } else { true } })
    // any answer shows that the mail system is back, even one that is not a success
    await scene.system.conducts { mail in mail.to.typed == "n0@example.com" ? nil : .deferred("451") }
    scene.clock.pass(.seconds(302))
    await scene.round()
    scene.clock.pass(.seconds(302))
    await scene.round()
    #expect(await scene.system.tries.count > tries + 40)
    #expect(scene.told.contains(.system(nil)))
  }

  @Test("a mail system that defers mails to eight addresses in a row fails, and works again when it accepts a mail")
  func putsOff() async throws {
    let failure = MailFailure.deferred("451 later")
    let scene = MailScene(system: StagedMail { _ in failure })
    func rounds(_ count: Int) async {
      for _ in 0..<count {
        await scene.round()
        scene.clock.pass(.seconds(302))
      }
    }
    let few = MailOutage.inARow - 1
    for number in 0..<few { try await scene.want(.registrationCode, to: "n\(number)@example.com") }
    await rounds(5)
    #expect(await scene.system.tries.count == 5 * few)
    #expect(!scene.told.contains(.system(failure)), "the cause may be these addresses, however often they fail")
    try await scene.want(.registrationCode, to: "another@example.com")
    scene.queue.wake()
    await rounds(1)
    #expect(scene.told.contains(.system(failure)))
    #expect(await scene.system.tries.count == 6 * few + 1, "each mail keeps its own pauses")
    await scene.system.conducts { mail in mail.to.typed == "n0@example.com" ? nil : failure }
    await rounds(1)
    let systems = scene.told.filter { if case .system = $0 { true } else { false } }
    #expect(systems.last == .system(nil))
  }

  @Test("a mail system that leaves eight addresses in a row unconfirmed fails, and gets only a few copies")
  func neverConfirms() async throws {
    let scene = MailScene(system: StagedMail { _ in .lost })
    let few = MailOutage.inARow - 1
    for number in 0..<few { try await scene.want(.registrationCode, to: "n\(number)@example.com") }
    await run(scene, until: .seconds(899))
    #expect(await scene.system.tries.count == 3 * few, "at 0, 300 and 600 seconds")
    #expect(!scene.told.contains { if case .system = $0 { true } else { false } }, "the cause may be these addresses")
    try await scene.want(.registrationCode, to: "another@example.com")
    scene.queue.wake()
    await run(scene, until: .seconds(1000))
    #expect(scene.told.contains(.system(.lost)))
    await scene.system.conducts { _ in nil }
    await run(scene, until: .seconds(1400))
    #expect(scene.told.last { if case .system = $0 { true } else { false } } == .system(nil))
    #expect(await scene.system.taken.count == few + 1)
  }

  @Test("if eight mails are refused at the same time, the last verdict that is told is the outage")
  func refusedAtOnce() {
    for _ in 0..<500 {
      let state = MailState()
      let told = Mutex<[MailOutage.Verdict]>([])
      DispatchQueue.concurrentPerform(iterations: MailOutage.inARow) { number in
        state.judge(
          { $0.answered(.refused("550 5.7.1 no"), to: EmailKey("\(number)@example.com")) },
          tell: { verdict in told.withLock { $0.append(verdict) } })
      }
      let verdicts = told.withLock { $0 }
      #expect(verdicts.count == MailOutage.inARow && verdicts.last == .fails)
    }
  }

  @Test("a mail without a confirmation does not end an outage")
  func lostWhileAway() {
    var outage = MailOutage()
    let (now, recipient) = (ContinuousClock.now, EmailKey("a@example.com"))
    #expect(outage.answered(.lost, to: recipient) == .same)
    outage.failed(began: now, DeliverySettings(), at: now, dice: 0)
    #expect(outage.answered(.lost, to: recipient) == .same)
    #expect(outage.outlook(at: now).isDown)
    #expect(outage.answered(nil, to: recipient) == .works)
    #expect(!outage.outlook(at: now).isDown)
  }

  @Test(
    "if the mail system refuses regd's user, an outage begins at once and ends when a mail is accepted",
    arguments: [("535 5.7.8 bad", true), ("530 5.7.0 Must issue STARTTLS", true), ("550 5.7.1 no 535 ", false)])
  func refusesUser(_ words: String, _ isOutage: Bool) {
    var outage = MailOutage()
    let recipient = EmailKey("a@example.com")
    #expect(outage.answered(.refused(words), to: recipient) == (isOutage ? .fails : .works))
    #expect(outage.answered(.refused("550 5.1.1 no such user"), to: recipient) == .same)
    #expect(outage.answered(.deferred("451 later"), to: recipient) == (isOutage ? .fails : .works))
    #expect(outage.answered(nil, to: recipient) == .works)
  }

  @Test("eight refusals in a row to different addresses are an outage, but refusals of recipients are not")
  func refusesAll() async throws {
    let failure = MailFailure.refused("504 5.5.2 Helo command rejected: need fully-qualified hostname [5.2.3.4]")
    let scene = MailScene(system: StagedMail { _ in failure })
    func want(_ numbers: Range<Int>) async throws {
      for number in numbers { try await scene.want(.registrationCode, to: "n\(number)@example.com") }
      scene.queue.wake()
      await scene.round()
    }
    try await want(0..<7)
    #expect(!scene.told.contains(.system(failure)), "the cause may be these addresses")
    // the same address does not count again
    try await want(6..<7)
    #expect(!scene.told.contains(.system(failure)))
    await scene.system.conducts { _ in .refused("550 5.1.1 no such user") }
    try await want(20..<40)
    let systems = scene.told.filter { if case .system = $0 { true } else { false } }
    #expect(systems.allSatisfy { $0 == .system(nil) }, "\(systems)")
    await scene.system.conducts { _ in failure }
    try await want(40..<41)
    #expect(scene.told.contains(.system(failure)))
    await scene.system.conducts { _ in .refused("550 5.1.1 no such user") }
    try await want(41..<42)
    #expect(scene.told.last { if case .system = $0 { true } else { false } } == .system(failure))
    await scene.system.conducts { _ in nil }
    try await want(42..<43)
    #expect(scene.told.last { if case .system = $0 { true } else { false } } == .system(nil))
    #expect(scene.queue.counts.refused == 30, "a refusal is final for its mail")
  }

  @Test(
    "the enhanced status code of a refusal shows whether the refusal concerns the recipient",
    arguments: [
      ("550 5.1.1 no such user", true), ("550-5.1.10 null MX", true), ("552 5.2.2 over quota", true),
      ("550 5.7.1 denied", false), ("553 5.1.8 sender's domain", false), ("553 5.1.7 sender", false),
      ("554 5.7.1 Client host [5.1.1.4] blocked", false), ("550 no", false), ("530 5.7.0 Must issue STARTTLS", false),
      ("554 5.2.252 SendAsDenied; regd@a.example not allowed to send as noreply@a.example", false),
      ("554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied", false),
      ("550 5.2.1 disabled", true), ("552 5.2.3 too long for this mailbox", true), ("550 5.2.4 list", true),
      ("550 5.2.5 unknown", false), (MailFailure.noUTF8, true),
    ])
  func aboutRecipient(_ words: String, _ isAboutRecipient: Bool) {
    #expect(MailFailure.isAboutRecipient(words) == isAboutRecipient)
  }

  @Test("after an outage, the first answer shows that the mail system works, even if it refuses a recipient")
  func answersAgain() {
    var outage = MailOutage()
    let (now, recipient) = (ContinuousClock.now, EmailKey("a@example.com"))
    let refusal = MailFailure.refused("550 5.1.1 no such user")
    #expect(outage.answered(refusal, to: recipient) == .same)
    outage.failed(began: now, DeliverySettings(), at: now, dice: 0)
    #expect(outage.answered(refusal, to: recipient) == .works)
  }

  @Test("after an outage of an hour, regd does not need a probe for each expired code")
  func outdated() async throws {
    let scene = MailScene(system: StagedMail { _ in .offline })
    for number in 0..<200 { try await scene.want(.recoveryCode, to: "n\(number)@example.com", life: .seconds(900)) }
    await run(scene, until: .seconds(3600))
    let notice = try await scene.want(.passwordChanged)
    scene.queue.wake()
    await scene.system.conducts { _ in nil }
    scene.clock.pass(.seconds(302))
    await scene.round()
    await scene.round()
    #expect(try await scene.state(of: notice) == .sent)
    #expect(await scene.system.taken.count == 1)
    #expect(scene.queue.counts.outdated == 200)
  }

  @Test("an administrator's retry does not wait for the end of the pause")
  func retried() async throws {
    let scene = MailScene(system: StagedMail { _ in .offline })
    for number in 0..<5 { try await scene.want(.registrationCode, to: "n\(number)@example.com") }
    await run(scene, until: .seconds(3000))
    await scene.system.conducts { _ in nil }
    await scene.round()
    #expect(await scene.system.taken.isEmpty)
    let clock = scene.clock
    #expect(await scene.queue.retry(nil) { clock.now } == .done)
    await scene.round()
    #expect(await scene.system.taken.count == 5)
  }

  @Test("after a change of the mail system, all mails go to the new one, despite a late failure of the old one")
  func other() async throws {
    let scene = MailScene(system: StagedMail { _ in .offline })
    for number in 0..<5 { try await scene.want(.registrationCode, to: "n\(number)@example.com") }
    await run(scene, until: .seconds(3000))
    let good = StagedMail()
    let clock = scene.clock
    await scene.system.hold()
    _ = await scene.queue.retry(nil) { clock.now }
    async let round = scene.round()
    await scene.system.reached()
    let terms = MailQueue.Terms(service: good, from: "new@example.com")
    scene.queue.adopt(terms, isOtherSystem: true, at: clock.now)
    clock.pass(.milliseconds(1))
    await scene.system.open()
    _ = await round
    clock.pass(.seconds(400))
    await scene.round()
    #expect(await good.taken.count == 5)
    #expect(await good.taken.allSatisfy { $0.from == "new@example.com" })
  }
}
