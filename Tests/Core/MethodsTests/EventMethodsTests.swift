import JSONRPC
import Methods
import RegdClient
import Registration
import Synchronization
import TestDoubles
import Testing
import WireProtocols

@Suite("events.*")
struct EventMethodsTests {
  private func events(_ lines: [String]) throws -> [JSONValue] {
    try lines.compactMap { line in
      let text = try #require(JSONValue(Array(line.utf8)))
      return text["method"]?.string == "events.happened" ? text["params"] : nil
    }
  }

  private func received(_ talk: Talk) -> [String] {
    talk.sendNotifications()
    return talk.receive().split(separator: "\n").map(String.init)
  }

  private func register(_ subject: Subject, _ number: Int) async {
    let entry = "[\"n\(number)@example.com\",\"a fine phrase\",\"a fine phrase\"]"
    _ = await subject.call("registration.register", entry, uid: 7)
  }

  @Test("a caller that has not subscribed, has unsubscribed or has disconnected receives no events")
  func silence() async throws {
    let subject = Subject()
    let (never, ended, gone) = (subject.talk(), subject.talk(), subject.talk())
    for talk in [ended, gone] { _ = await talk.call("events.subscribe", "null") }
    #expect(subject.feed.subscribers == 2)
    #expect(await ended.call("events.unsubscribe", "null").count == 1)
    #expect(await ended.call("events.unsubscribe", "null").count == 1)
    gone.abandon()
    #expect(subject.feed.subscribers == 0)
    await register(subject, 1)
    for talk in [never, ended, gone] { #expect(received(talk) == []) }
  }

  @Test("each subscriber receives a change once, with number, actor and time, however often it has subscribed")
  func told() async throws {
    let subject = Subject()
    await register(subject, 0)
    let talks = [subject.talk(), subject.talk()]
    for talk in talks {
      for _ in 0..<2 {
        let reply = try JSONValue.outcome(await talk.call("events.subscribe", "null").last ?? "")
        #expect(reply["sequence"]?.integer == 1)
      }
    }
    await register(subject, 1)
    let id = try #require(await subject.store.find(EmailKey("n1@example.com"))?.account.id)
    for talk in talks {
      #expect(
        received(talk) == [
          #"{"jsonrpc":"2.0","method":"events.happened","params":{"sequence":2,"event":"account.registered","time":"\#(Fixtures.time.rfc3339)","entry":2,"account":"\#(id)","email":"n1@example.com","uid":7,"pid":0,"regd":"regd"}}"#
        ])
    }
  }

  @Test("a subscriber receives one event when a part begins to fail, and one when the part recovers")
  func health() async throws {
    let subject = Subject()
    let talk = subject.talk()
    _ = await talk.call("events.subscribe", "null")
    for failure in [nil, "gone", "still gone", nil, nil] as [String?] {
      subject.health.note(.network, .writing, failure)
    }
    let told = try events(received(talk))
    #expect(told.map { $0["event"]?.string } == ["network.failed", "network.recovered"])
    #expect(told.first?["message"]?.string == "gone")
    let status = try JSONValue.outcome(await talk.call("daemon.status", "null").last ?? "")
    #expect(status["network"]?["healthy"]?.bool == true)
    #expect(status["subscribers"]?.integer == 1)
  }

  @Test("daemon.status lists 100 users and counts the others")
  func users() async throws {
    let subject = Subject()
    let known = (UInt32(1)...16_000).map { subject.quotas.quota(of: $0) }
    known[4711].connect()
    let reply = await subject.call("daemon.status", "null")
    #expect(reply.utf8.count < 16_384)
    let status = try JSONValue.outcome(reply)
    #expect(status["users"]?.array?.count == 100)
    #expect(status["users"]?.array?.contains { $0["uid"]?.integer == 4712 } == true)
    #expect(status["others"]?["users"]?.integer == 15_900 && status["connections"]?.integer == 1)
    #expect(try JSONValue.outcome(await Subject().call("daemon.status", "null"))["others"] == nil)
  }

  @Test("a replaced part counts as neither failed nor recovered")
  func replaced() async throws {
    let subject = Subject()
    let talk = subject.talk()
    _ = await talk.call("events.subscribe", "null")
    subject.health.note(.network, .writing, "gone")
    subject.health.forget(.network)
    #expect(subject.health[.network].failure == nil)
    #expect(subject.health.note(.network, .writing, nil) == false)
    #expect(subject.health.note(.network, .writing, "gone, too"))
    let told = try events(received(talk))
    #expect(told.map { $0["event"]?.string } == ["network.failed", "network.failed"])
  }

  @Test("the feed's own worker encodes an event, not the publisher, and only earlier subscribers receive the event")
  func queued() async throws {
    let work = Mutex<[@Sendable () -> Void]>([])
    let feed = EventFeed(submit: { piece in work.withLock { $0.append(piece) } })
    let subject = Subject(feed: feed)
    let (early, late) = (subject.talk(), subject.talk())
    _ = await early.call("events.subscribe", "null")
    for _ in 0..<3 { feed.publish(Event(.delayed, at: Fixtures.time, message: "x")) }
    #expect(await late.call("events.subscribe", "null").last?.contains("\"sequence\":3") == true)
    #expect(received(early).isEmpty)
    let pieces = work.withLock { $0 }
    #expect(pieces.count == 1, "one worker at a time")
    for piece in pieces { piece() }
    #expect(try events(received(early)).map { $0["sequence"]?.integer } == [1, 2, 3])
    #expect(received(late).isEmpty)
  }

  @Test("if too many events wait, a subscriber receives the number of events that it has missed")
  func overflowing() async throws {
    let work = Mutex<[@Sendable () -> Void]>([])
    let feed = EventFeed(submit: { piece in work.withLock { $0.append(piece) } })
    let talk = Subject(feed: feed).talk()
    _ = await talk.call("events.subscribe", "null")
    let count = EventFeed.mostWaiting + 5
    for _ in 0..<count { feed.publish(Event(.delayed, at: Fixtures.time, message: "x")) }
    for piece in work.withLock({ $0 }) { piece() }
    var told = try events(received(talk))
    told += try events(received(talk))
    let missed = told.compactMap { $0["missed"]?.integer }.reduce(0, +)
    #expect(told.last?["sequence"]?.integer == count)
    #expect(told.count { $0["missed"] == nil } + missed == count)
  }

  @Test("a slow subscriber receives or misses each number exactly once, and receives the count of missed events")
  func missed() async throws {
    let subject = Subject()
    let talk = subject.talk()
    _ = await talk.call("events.subscribe", "null")
    let time = Fixtures.time
    var told: [JSONValue] = []
    // Three bursts of events, with a read after each.
    for _ in 0..<3 {
      for _ in 0..<2000 { subject.feed.publish(Event(.delayed, at: time, message: "x")) }
      told += try events(received(talk))
    }
    told += try events(received(talk))
    var last = 0
    var missed = 0
    for event in told {
      let sequence = try #require(event["sequence"]?.integer)
      if let count = event["missed"]?.integer {
        #expect(event["event"]?.string == "events.missed")
        #expect(sequence - last == count)
        missed += count
      } else {
        #expect(sequence == last + 1)
      }
      last = sequence
    }
    #expect(last == 6000)
    #expect(missed > 3000)
    #expect(told.count + missed - told.filter { $0["missed"] != nil }.count == 6000)
  }

  @Test("the pages of the audit contain every entry once")
  func pages() async throws {
    let subject = Subject()
    for number in 0..<7 { await register(subject, number) }
    var numbers: [Int] = []
    var after = 0
    while true {
      let page = try JSONValue.outcome(await subject.call("events.list", "{\"after\":\(after),\"limit\":3}"))
      numbers += page["events"]?.array?.compactMap { $0["entry"]?.integer } ?? []
      guard let next = page["next"]?.integer else { break }
      after = next
    }
    #expect(numbers == Array(1...7))
  }
}
