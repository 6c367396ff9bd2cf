import JSONRPC
import Methods
import RegdClient
import Registration
import TestDoubles
import Testing
import WireProtocols

@Suite("Observers")
struct ObserverTests {
  private static let entry =
    #"{"email":"who@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase","#
    + #""origin":"o@example.org"}"#

  private func received(_ talk: Talk) -> [String] {
    talk.sendNotifications()
    return talk.receive().split(separator: "\n").map(String.init)
  }

  @Test("observers may read the daemon's state and receive events, unlike other callers, and may do nothing else")
  func rights() async {
    let subject = Subject()
    let names = { (access: Access) in subject.table.methods.filter { $0.access == access }.map { "\($0.name)" } }
    #expect(
      Set(names(.observe)) == [
        "daemon.status", "daemon.metrics", "events.list", "events.subscribe", "events.unsubscribe", "group.list",
      ])
    let (observer, anybody) = (subject.talk(uid: 7, access: .observe), subject.talk(uid: 8))
    for method in names(.observe) {
      #expect(await observer.call(method, "null").last?.contains(#""result":"#) == true, "\(method)")
      #expect(await anybody.call(method, "null").last?.contains(#"needs the access class \"observe\""#) == true)
    }
    for method in names(.admin) {
      #expect(await observer.call(method, "null").last?.contains("access.denied") == true, "\(method)")
    }
  }

  @Test("observers receive events without addresses, origins or a mail system's words, and no mail that is to be sent")
  func told() async throws {
    let subject = Subject()
    let (observer, administrator) = (subject.talk(uid: 7, access: .observe), subject.talk())
    for talk in [observer, administrator] { _ = await talk.call("events.subscribe", "null") }
    _ = await subject.call("registration.register", Self.entry, uid: 9)
    let account = try #require(await subject.store.find(EmailKey("who@example.com"))?.account)
    subject.feed.publish(Event(.delivered, at: Fixtures.time, account: account, message: "said"))
    let intent = MailIntent(
      id: MailID(at: Fixtures.time), kind: .registrationCode, to: account.email, claim: nil, account: nil,
      language: nil, uid: 9,
      origin: nil, createdAt: Fixtures.time)
    subject.feed.publish(
      Event(.mailRefused, at: Fixtures.time, mail: MailNews(intent), message: "550 who@example.com"))
    let mail = Mail(
      id: intent.id, kind: intent.kind, to: intent.to, from: "regd@example.com", date: Fixtures.time, language: "en",
      subject: "s", body: "123456")
    #expect(await subject.feed.deliver(Event(.mailWanted, at: Fixtures.time, mail: MailNews(wanted: mail))) == 1)
    subject.feed.publish(Event(.networkFailed, at: Fixtures.time, message: "offline"))
    let (told, all) = (received(observer), received(administrator))
    #expect(all.count == 5 && told.count == 4)
    #expect(all.dropLast().allSatisfy { $0.contains("who@example.com") })
    #expect(!told.contains { $0.contains("@") || $0.contains("550") || $0.contains("missed") })
    let events = try told.map { try #require(JSONValue(Array($0.utf8))?["params"]) }
    #expect(
      events.map { $0["event"]?.string } == [
        "account.registered", "outbox.delivered", "mail.refused", "network.failed",
      ])
    #expect(events.map { $0["sequence"]?.integer } == [1, 2, 3, 4])
    let another = await subject.talk(uid: 7, access: .observe).call("events.subscribe", "null").last ?? ""
    #expect(try JSONValue.outcome(another)["sequence"]?.integer == 4)
    #expect(events[0]["uid"]?.integer == 9 && events[0]["account"]?.string == "\(account.id)")
    #expect(events[1]["message"]?.string == "said" && events[3]["message"]?.string == "offline")
  }

  @Test("daemon.status shows observers that mail fails, but only administrators see the mail system's words")
  func status() async throws {
    let subject = Subject()
    subject.health.note(.mail, .writing, "refused: 550 who@example.com", plain: "refused")
    subject.health.note(.network, .writing, "offline")
    let seen = try JSONValue.outcome(
      await subject.talk(uid: 7, access: .observe).call("daemon.status", "null").last ?? "")
    #expect(seen["mail"]?["healthy"]?.bool == false && seen["mail"]?["since"]?.string != nil)
    #expect(seen["mail"]?["failure"]?.string == "refused" && seen["mail"]?["waiting"]?.integer == 1)
    #expect(seen["network"]?["failure"]?.string == "offline")
    let whole = try JSONValue.outcome(await subject.call("daemon.status", "null"))
    #expect(whole["mail"]?["failure"]?.string == "refused: 550 who@example.com")
  }

  @Test("events.list returns the audit to observers without addresses or origins")
  func listed() async throws {
    let subject = Subject()
    _ = await subject.call("registration.register", Self.entry, uid: 9)
    let told = await subject.talk(uid: 7, access: .observe).call("events.list", "{}").last ?? ""
    let event = try #require(JSONValue.outcome(told)["events"]?.array?.first)
    #expect(event["event"]?.string == "account.registered" && event["uid"]?.integer == 9)
    #expect(!told.contains("@"))
    #expect(await subject.call("events.list", "{}").contains("o@example.org"))
  }

  @Test("observers receive only the ids of invitations")
  func invitations() async throws {
    let subject = Subject()
    let observer = subject.talk(uid: 7, access: .observe)
    _ = await observer.call("events.subscribe", "null")
    let params = #"{"email":"who@example.com","note":"for who@example.com"}"#
    let made = try #require(
      JSONValue.outcome(await subject.call("invitation.create", params))["invitation"]?["id"]?.string)
    let told = received(observer) + [await observer.call("events.list", "{}").last ?? ""]
    #expect(told.count == 2)
    for text in told {
      #expect(
        text.contains("\"invitation\":\"\(made)\"") && !text.contains("@") && !text.contains("account\":"), "\(text)")
    }
  }

  @Test(
    "after a reload, a caller that has lost the right gets no events, and a new administrator may call more methods")
  func reloaded() async {
    let subject = Subject()
    let talk = subject.talk(uid: 7, access: .observe)
    _ = await talk.call("events.subscribe", "null")
    talk.session.adopt(access: .open, heldBytesLimit: .max)
    #expect(await subject.feed.deliver(Event(.networkFailed, at: Fixtures.time)) == 0)
    #expect(await talk.call("daemon.status", "null").last?.contains("access.denied") == true)
    talk.session.adopt(access: .admin, heldBytesLimit: .max)
    #expect(await subject.feed.deliver(Event(.networkFailed, at: Fixtures.time)) == 1)
    #expect(await talk.call("outbox.list", "{}").last?.contains("result") == true)
  }
}
