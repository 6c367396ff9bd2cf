import AddressNormalization
import JSONRPC
import Localization
import Methods
import RegdClient
import Registration
import TestDoubles
import Testing
import WireProtocols

@Suite("mail.*")
struct MailMethodsTests {
  private let unknown = "0192d3a4-7c1e-7b32-9f00-0123456789ab"

  private func reason(_ reply: String) throws -> String? { try JSONValue.outcome(reply).string }

  private func notice(_ name: String, _ number: Int = 0) -> MailIntent {
    let address = "\(name)@example.com"
    let time = Fixtures.time.advanced(by: .milliseconds(number))
    return MailIntent(
      id: MailID(at: time), kind: .passwordChanged, to: EmailAddress(stored: address, key: EmailKey(address)),
      claim: nil,
      account: nil, language: nil, uid: 7, origin: nil, createdAt: Fixtures.time)
  }

  /// A subject with waiting mails, and the mails.
  private func waiting(_ names: [String], mail: (any MailService)? = nil) async throws -> (Subject, [MailIntent]) {
    let subject = Subject(mail: mail)
    let mails = names.enumerated().map { notice($1, $0) }
    for mail in mails { try await subject.store.add(mail) }
    return (subject, mails)
  }

  @Test("only administrators may call mail.*")
  func access() async throws {
    let (subject, _) = try await waiting(["a"])
    for method in ["mail.list", "mail.retry", "mail.discard", "mail.sent"] {
      #expect(try reason(await subject.call(method, "null", uid: 7)) == "access.denied")
    }
  }

  @Test("a malformed id is a params error, and the id of no waiting mail is mail.notFound")
  func ids() async throws {
    let (subject, _) = try await waiting([], mail: StagedMail())
    for method in ["mail.retry", "mail.discard", "mail.sent"] {
      #expect(try reason(await subject.call(method, #"{"id":"x"}"#)) == "rpc.invalidParams")
      #expect(try reason(await subject.call(method, "{\"id\":\"\(unknown)\"}")) == "mail.notFound")
    }
    for method in ["mail.discard", "mail.sent"] {
      #expect(try reason(await subject.call(method, "{}")) == "rpc.invalidParams")
    }
    #expect(try reason(await subject.call("mail.list", #"{"after":"x"}"#)) == "rpc.invalidParams")
    #expect(try reason(await subject.call("mail.list", #"{"limit":0}"#)) == "rpc.invalidParams")
  }

  @Test("each method reports a failing store", arguments: ["mail.list", "mail.retry", "mail.discard", "mail.sent"])
  func store(_ method: String) async throws {
    let subject = Subject(mail: StagedMail(), failing: 1)
    let params = method == "mail.list" ? "null" : "{\"id\":\"\(unknown)\"}"
    #expect(try reason(await subject.call(method, params)) == "store.readOnly")
  }

  @Test("without a mail system, mail.retry fails with feature.off")
  func noSystem() async throws {
    let (subject, mails) = try await waiting(["a"])
    for params in ["null", "{\"id\":\"\(mails[0].id)\"}"] {
      #expect(try reason(await subject.call("mail.retry", params)) == "feature.off")
    }
  }

  @Test("mail.list returns waiting mails with address, kind, attempts and reason, in pages")
  func list() async throws {
    let (subject, mails) = try await waiting(["a", "b", "c"], mail: StagedMail { _ in .deferred("451 later") })
    _ = await subject.mails.round()
    let first = try JSONValue.outcome(await subject.call("mail.list", #"{"limit":2}"#))
    let page = try #require(first["waiting"]?.array)
    #expect(page.compactMap { $0["id"]?.string } == mails.prefix(2).map { "\($0.id)" })
    for (entry, name) in zip(page, ["a", "b"]) {
      #expect(entry["to"]?.string == "\(name)@example.com")
      #expect(entry["kind"]?.string == "passwordChanged")
      #expect(entry["since"]?.string == Fixtures.time.rfc3339)
      #expect(entry["attempts"]?.integer == 1)
      #expect(entry["reason"]?.string == "deferred: 451 later")
      #expect(Timestamp(rfc3339: entry["nextAttemptAt"]?.string ?? "") ?? Fixtures.time > Fixtures.time)
    }
    let next = try #require(first["next"])
    let second = try JSONValue.outcome(await subject.call("mail.list", JSONValue.object([.init("after", next)]).text))
    #expect(second["waiting"]?.array?.compactMap { $0["to"]?.string } == ["c@example.com"])
    #expect(second["next"] == nil)
  }

  @Test("mail.retry makes a mail due, mail.discard drops it, and mail.sent ends it")
  func settled() async throws {
    let (subject, mails) = try await waiting(["a", "b", "c"], mail: StagedMail { _ in .lost })
    _ = await subject.mails.round()
    let params = mails.map { "{\"id\":\"\($0.id)\"}" }
    #expect(try JSONValue.outcome(await subject.call("mail.retry", params[0])) == [:])
    _ = await subject.mails.round()
    let after = try JSONValue.outcome(await subject.call("mail.list", "null"))["waiting"]?.array ?? []
    #expect(after.compactMap { $0["attempts"]?.integer } == [2, 1, 1])
    #expect(try JSONValue.outcome(await subject.call("mail.discard", params[1])) == [:])
    #expect(try reason(await subject.call("mail.discard", params[1])) == "mail.notFound")
    #expect(try reason(await subject.call("mail.sent", params[1])) == "mail.notFound")
    for _ in 0..<2 { #expect(try JSONValue.outcome(await subject.call("mail.sent", params[2])) == [:]) }
    #expect(try await subject.store.mails(after: nil, limit: 9).map(\.intent) == [mails[0]])
    #expect(try await subject.store.find(mail: mails[2].id)?.state == .sent)
  }

  // MARK: Events

  private func events(_ talk: Talk) throws -> [JSONValue] {
    talk.sendNotifications()
    return try talk.receive().split(separator: "\n").compactMap { line in
      let text = try #require(JSONValue(Array(line.utf8)))
      return text["method"]?.string == "events.happened" ? text["params"] : nil
    }
  }

  /// Asks the subject's subscribers.
  private struct Asking: MailService {
    let asks: MailAsks
    func send(_ mail: Mail) async throws(MailFailure) { try await asks.ask(mail, within: .seconds(600)) }
  }

  @Test("without a subscribed administrator, a mail is not lost but waits, and the mail system counts as offline")
  func unheard() async throws {
    let (subject, mails) = try await waiting(["a"])
    subject.mails.adopt(
      .init(service: Asking(asks: subject.asks), from: "regd@example.com"), isOtherSystem: true)
    // A subscriber that has lost the right to receive events.
    let former = subject.talk()
    _ = await former.call("events.subscribe", "null")
    former.session.adopt(access: .open, heldBytesLimit: .max)
    _ = await subject.mails.round()
    #expect(try events(former).isEmpty)
    let waiting = try await subject.store.find(mail: mails[0].id)
    #expect(waiting?.state == .waiting && waiting?.reason == "offline")
  }

  @Test("a subscriber receives the complete mail to send, and its call of mail.sent ends the mail")
  func wanted() async throws {
    let (subject, mails) = try await waiting(["a"])
    let site = MailTexts.Site(name: "Example", url: "https://example.com")
    subject.mails.adopt(
      .init(service: Asking(asks: subject.asks), from: "regd@example.com", fromName: "Käserei", site: site),
      isOtherSystem: true)
    let talk = subject.talk()
    _ = await talk.call("events.subscribe", "null")
    async let round = subject.mails.round()
    var told: [JSONValue] = []
    while told.isEmpty {
      await Task.yield()
      told = try events(talk)
    }
    let wanted = try #require(told.first)
    let text = MailTexts.text(
      of: mails[0], code: nil, site: site, now: Fixtures.time, in: .english, lines: UnicodeLineBreaker())
    #expect(wanted["event"]?.string == "mail.wanted")
    #expect(wanted["id"]?.string == "\(mails[0].id)")
    #expect(wanted["to"]?.string == "a@example.com")
    #expect(wanted["from"]?.string == "regd@example.com" && wanted["fromName"]?.string == "Käserei")
    #expect(wanted["kind"]?.string == "passwordChanged")
    #expect(wanted["subject"]?.string == text.subject)
    #expect(wanted["body"]?.string == text.body)
    #expect(wanted["language"]?.string == "en")
    #expect(try JSONValue.outcome(await subject.call("mail.sent", "{\"id\":\"\(mails[0].id)\"}")) == [:])
    _ = await round
    #expect(try await subject.store.find(mail: mails[0].id)?.state == .sent)
  }

  @Test("the events about the result of a mail do not contain its text")
  func became() async throws {
    let subject = Subject()
    let talk = subject.talk()
    _ = await talk.call("events.subscribe", "null")
    let mail = notice("a")
    for name in [EventName.mailSent, .mailDelayed, .mailRefused] {
      subject.feed.publish(Event(name, at: Fixtures.time, mail: MailNews(mail), message: "x"))
    }
    let told = try events(talk)
    #expect(told.map { $0["event"]?.string } == ["mail.sent", "mail.delayed", "mail.refused"])
    for event in told {
      guard case .object(let members) = event else { continue }
      #expect(members.map(\.name) == ["sequence", "event", "time", "id", "to", "kind", "message"])
      #expect(event["id"]?.string == "\(mail.id)")
    }
  }
}
