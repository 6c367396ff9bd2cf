import Synchronization
import TestDoubles
import Testing

@testable import Registration

@Suite("Turns of mails")
struct MailTurnTests {
  @Test("a thousand mails of one user or origin do not delay other users or origins, and codes go before notices")
  func turns() async throws {
    let scene = MailScene()
    for number in 0..<1000 {
      try await scene.want(.registrationCode, to: "a\(number)@example.com", uid: 1, origin: "x")
    }
    // to one address, because mails to two addresses may be sent concurrently
    try await scene.want(.passwordChanged, to: "both@example.com", uid: 2)
    try await scene.want(.registrationCode, to: "both@example.com", uid: 2)
    try await scene.want(.registrationCode, to: "origin@example.com", uid: 1, origin: "y")
    await scene.round()
    let tries = await scene.system.tries
    try #require(tries.count == 1003)
    #expect(
      tries.filter { $0.to.typed.hasPrefix("both") }.map(\.kind) == [.registrationCode, .passwordChanged], "of one user"
    )
    // the first mail to each address: the second one waits for it, and the pool decides how many other mails go in
    // between
    let places = ["both", "origin"].map { name in tries.firstIndex { $0.to.typed == "\(name)@example.com" } ?? .max }
    #expect(places.allSatisfy { $0 < 12 }, "\(places)")
    #expect(await scene.system.mostAtOnce <= MailQueue.width)
  }

  @Test("a mail requested while others are sent goes before the remaining mails of a user with many")
  func wake() async throws {
    let scene = MailScene()
    for number in 0..<100 { try await scene.want(.registrationCode, to: "a\(number)@example.com", uid: 1) }
    await scene.system.hold()
    async let round = scene.round()
    await scene.system.reached(MailQueue.width)
    try await scene.want(.passwordChanged, to: "late@example.com", uid: 2)
    scene.queue.wake()
    await scene.system.open()
    _ = await round
    let order = await scene.system.tries.map(\.to.typed)
    #expect(order.count == 101)
    // one more was chosen before, and they run concurrently
    #expect(order.prefix(3 * MailQueue.width).contains("late@example.com"))
  }

  @Test("a mail requested during a slow delivery does not wait for that delivery")
  func beside() async throws {
    let scene = MailScene()
    let slow = try await scene.want(.recoveryCode, to: "slow@example.com")
    await scene.system.hold()
    async let round = scene.round()
    await scene.system.reached()
    let late = try await scene.want(.registrationCode, to: "late@example.com")
    scene.queue.wake()
    await scene.system.reached(2)
    #expect(await scene.system.tries.map(\.id) == [slow.id, late.id])
    await scene.system.open()
    _ = await round
    #expect(await scene.system.taken.count == 2)
  }

  @Test("mails to one address wait for each other, and a mail to another address never waits for them")
  func recipients() async throws {
    let scene = MailScene()
    for number in 0..<MailBounds.perAddress {
      try await scene.want(.recoveryCode, to: "them@example.com", uid: 1, origin: "o\(number % 3)")
    }
    let own = try await scene.want(.recoveryCode, to: "own@example.com", uid: 1, origin: "o0")
    await scene.system.hold()
    async let round = scene.round()
    await scene.system.reached(2)
    #expect(Set(await scene.system.tries.map(\.to.typed)) == ["them@example.com", "own@example.com"])
    #expect(await scene.system.tries.contains { $0.id == own.id })
    await scene.system.open()
    _ = await round
    #expect(await scene.system.taken.count == MailBounds.perAddress + 1)
    #expect(await scene.system.mostAtOnce == 2)
  }

  @Test("a mail in progress that no longer waits in the store still blocks its address until it has ended")
  func gone() async throws {
    let scene = MailScene()
    let first = try await scene.want(.recoveryCode, to: "them@example.com")
    await scene.system.hold()
    async let round = scene.round()
    await scene.system.reached()
    #expect(try await scene.store.end(mail: first.id, .outdated, reason: nil))
    try await scene.want(.recoveryCode, to: "them@example.com", uid: 2)
    try await scene.want(.recoveryCode, to: "own@example.com", uid: 2)
    #expect(await scene.queue.retry(nil) == .done)
    await scene.system.reached(2)
    #expect(await scene.system.tries.map(\.to.typed) == ["them@example.com", "own@example.com"])
    await scene.system.open()
    _ = await round
    #expect(await scene.system.mostAtOnce == 2)
    #expect(await scene.system.tries.count == 3)
  }

  @Test("new codes go before other origins' deferred mails, which get every eighth turn")
  func repeats() async throws {
    let scene = MailScene(system: StagedMail { $0.to.typed.hasPrefix("late") ? nil : .deferred("450 greylisted") })
    for number in 0..<300 {
      try await scene.want(.registrationCode, to: "a\(number)@example.com", origin: "o\(number)")
    }
    await scene.round()
    #expect(await scene.system.tries.count == 300)
    scene.clock.pass(.seconds(600))
    let late = 70
    for number in 0..<late { try await scene.want(.registrationCode, to: "late\(number)@example.com", origin: "new") }
    scene.queue.wake()
    await scene.round()
    let order = await scene.system.tries.dropFirst(300).map(\.to.typed)
    let places = order.indices.filter { order[$0].hasPrefix("late") }
    #expect(places.count == late && order.count == 300 + late)
    // they run concurrently
    let last = late + late / DeliveryLane.firstTriesPerRepeat
    #expect(places.allSatisfy { $0 < last + MailQueue.width }, "\(places)")
    #expect(
      places.last.map { $0 >= last - 1 - MailQueue.width } ?? false,
      "deferred mails also get turns: \(places)")
  }

  @Test("a user's codes for known clients, other codes and notices take turns")
  func lanes() async throws {
    let scene = MailScene()
    for number in 0..<100 {
      try await scene.want(.registrationCode, to: "a\(number)@example.com", origin: "o\(number)")
    }
    try await scene.want(.passwordChanged, to: "notice@example.com", origin: "o0")
    try await scene.want(.recoveryCode, to: "known@example.com", origin: "o99", isKnown: true)
    await scene.round()
    let order = await scene.system.tries.map(\.to.typed)
    for name in ["notice", "known"] {
      let place = try #require(order.firstIndex(of: "\(name)@example.com"))
      #expect(place < 3 + MailQueue.width, "\(name) is the \(place)th of \(order.count)")
    }
  }

  @Test("a decoy mail takes the time of a real mail, but is neither sent nor listed")
  func unwanted() async throws {
    let clock = MailClock()
    let scene = MailScene(
      clock: clock,
      system: StagedMail { _ in
        clock.pass(.milliseconds(330))
        return nil
      })
    try await scene.want(.registrationCode)
    await scene.round()
    let decoy = try await scene.want(.recoveryCode, to: "nobody@example.com", isWanted: false)
    let real = try await scene.want(.recoveryCode, to: "somebody@example.com")
    #expect(try await scene.waiting().map(\.mail.id) == [real.id])
    scene.queue.wake()
    await scene.round()
    #expect(scene.rests.all.withLock { $0 } == [.milliseconds(330)])
    #expect(await scene.system.taken.map(\.to.typed) == ["name@example.com", "somebody@example.com"])
    #expect(try await scene.state(of: decoy) == nil)
    #expect(!scene.told.contains { if case .sent(decoy, _) = $0 { true } else { false } })
    #expect(scene.queue.counts.sent == 2 && scene.queue.waiting == 0)
  }

  @Test("after a mail during which the machine slept, a decoy mail blocks its address for half a minute only")
  func slept() async throws {
    let clock = MailClock()
    let scene = MailScene(
      clock: clock,
      system: StagedMail { _ in
        clock.pass(.seconds(2400))
        return nil
      })
    try await scene.want(.registrationCode)
    await scene.round()
    try await scene.want(.recoveryCode, to: "nobody@example.com", isWanted: false)
    scene.queue.wake()
    await scene.round()
    #expect(scene.rests.all.withLock { $0 } == [.seconds(30)])
  }

  @Test("the pages of the list contain only wanted mails, however many decoys there are")
  func pages() async throws {
    let scene = MailScene(hasSystem: false)
    var wanted: [MailID] = []
    for number in 0..<40 {
      let isWanted = number % 10 == 9
      let mail = try await scene.want(.recoveryCode, to: "n\(number)@example.com", isWanted: isWanted)
      if isWanted { wanted.append(mail.id) }
    }
    wanted.sort()
    let clock = scene.clock
    let first = try await scene.queue.list(after: nil, limit: 3) { clock.now }
    #expect(first.elements.map(\.mail.id) == wanted.dropLast())
    #expect(first.hasMore)
    let last = try await scene.queue.list(after: first.elements.last?.mail.id, limit: 3) { clock.now }
    #expect(last.elements.map(\.mail.id) == wanted.suffix(1))
    #expect(!last.hasMore)
  }
}
