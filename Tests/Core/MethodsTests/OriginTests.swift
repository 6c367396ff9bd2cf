import RegdClient
import Testing

@Suite("origin: the user for whom a caller asks")
struct OriginTests {
  private static let calls = [
    ("session.signIn", #""email":"a@example.com","password":"a fine phrase""#),
    (
      "registration.register",
      #""email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""#
    ),
    ("form.open", #""kind":"registration""#),
  ]

  @Test("what is no text or too long is told by its name", arguments: calls)
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

  @Test("an empty one is none, and 128 bytes are possible", arguments: calls)
  func taken(_ method: String, _ members: String) async throws {
    for origin in ["null", "\"\"", "\"\(String(repeating: "x", count: 128))\""] {
      let reply = await Subject().call(method, "{\(members),\"origin\":\(origin)}")
      #expect(!reply.contains("-32602"), "\(origin)")
    }
  }

  @Test("the audit has it, of a registration and of one by a form; without one there is none")
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
}
