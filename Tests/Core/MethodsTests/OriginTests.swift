import JSONRPC
import Methods
import RegdClient
import Registration
import TestDoubles
import Testing
import WireProtocols

@Suite("origin: the end user for whom a caller asks")
struct OriginTests {
  private static let calls = [
    ("session.signIn", #""email":"a@example.com","password":"a fine phrase""#),
    (
      "registration.register",
      #""email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""#
    ),
    ("form.open", #""kind":"registration""#),
  ]

  @Test("an origin that is too long or not a string is a params error that names the member", arguments: calls)
  func refused(_ method: String, _ members: String) async throws {
    let subject = Subject()
    for origin in [
      "7", "true", "[]", "\"\(String(repeating: "x", count: 129))\"", "\"\(String(repeating: "é", count: 65))\"",
    ] {
      let reply = await subject.call(method, "{\(members),\"origin\":\(origin)}")
      #expect(reply.contains(#""code":-32602"#), "\(origin)")
      #expect(reply.contains(#""field":"origin""#), "\(origin)")
    }
  }

  @Test("an empty origin and an origin of 128 bytes are allowed", arguments: calls)
  func taken(_ method: String, _ members: String) async throws {
    for origin in ["null", "\"\"", "\"\(String(repeating: "x", count: 128))\""] {
      let reply = await Subject().call(method, "{\(members),\"origin\":\(origin)}")
      #expect(!reply.contains("-32602"), "\(origin)")
    }
  }

  @Test("the audit contains the origin of a registration, also from a form, and none if the caller sent none")
  func audit() async throws {
    let subject = Subject()
    let entry = { (name: String) in
      "\"email\":\"\(name)@example.com\",\"password\":\"a fine phrase\",\"passwordConfirmation\":\"a fine phrase\""
    }
    _ = await subject.call("registration.register", "{\(entry("a")),\"origin\":\"192.0.2.7\"}")
    _ = await subject.call("registration.register", "{\(entry("b")),\"origin\":\"\"}")
    let talk = subject.talk()
    _ = await talk.call("form.open", #"{"kind":"registration","origin":"a session"}"#)
    _ = await talk.call("form.set", "{\"form\":1,\(entry("c"))}")
    _ = await talk.call("form.submit", "[1]")
    let events = try JSONValue.outcome(await subject.call("events.list", "{}"))["events"]?.array ?? []
    #expect(events.map { $0["origin"]?.string } == ["192.0.2.7", nil, "a session"])
  }

  @Test("regd compares origins as they are: the same address with another port is another origin")
  func asItIs() async throws {
    let subject = Subject()
    let origins = ["198.51.100.7:40001", "[2001:db8::7]:40001", "[2001:db8::7]", "198.51.100.7"]
    for (number, origin) in origins.enumerated() {
      let entry = "\"email\":\"n\(number)@example.com\",\"password\":\"a fine phrase\""
      _ = await subject.call(
        "registration.register", "{\(entry),\"passwordConfirmation\":\"a fine phrase\",\"origin\":\"\(origin)\"}")
      #expect(await subject.call("session.signIn", "{\(entry),\"origin\":\"\(origin)\"}").contains("result"))
    }
    let events = try JSONValue.outcome(await subject.call("events.list", "{}"))["events"]?.array ?? []
    #expect(events.map { $0["origin"]?.string } == origins)
    #expect(subject.faulty.shares.isSuperset(of: origins.map { Share(uid: 0, origin: Origin($0)) }))
  }

  @Test(
    "the store look-ups of a submitted form count for its origin",
    arguments: [
      ("registration", #""email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""#),
      ("signIn", #""email":"a@example.com","password":"a fine phrase""#),
      ("recovery", #""email":"a@example.com""#),
    ])
  func forms(_ kind: String, _ entry: String) async {
    let subject = Subject(mail: StagedMail(), verification: VerificationTerms(hasMail: true))
    let talk = subject.talk(uid: 7)
    _ = await talk.call("form.open", "{\"kind\":\"\(kind)\",\"origin\":\"a session\"}")
    _ = await talk.call("form.set", "{\"form\":1,\(entry)}")
    _ = await talk.call("form.submit", "[1]")
    #expect(subject.faulty.shares == [Share(uid: 7, origin: Origin("a session"))])
  }

  @Test("the look-up of an id's domain counts for the caller")
  func fenced() async throws {
    let subject = Subject()
    let method = try #require(subject.table.methods.first { "\($0.name)" == "account.get" })
    let fence = DomainFence(subject.administrator) { _ in false }
    let talk = Talk(
      Dispatcher(table: MethodTable([fence.enclosing(method)]), limits: Limits()),
      caller: Peer(uid: 7, gid: 7, pid: 9, access: .admin))
    let reply = await talk.call("account.get", "{\"id\":\"\(AccountID(at: Fixtures.time))\"}").last
    #expect(reply?.contains("account.notFound") == true)
    #expect(subject.faulty.shares == [Share(uid: 7)])
  }
}
