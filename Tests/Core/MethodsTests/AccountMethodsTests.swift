import RegdClient
import Registration
import TestDoubles
import Testing

@Suite("account.*")
struct AccountMethodsTests {
  private static let methods = [
    "account.get", "account.disable", "account.enable", "account.delete", "account.setPassword",
  ]

  private func subject(_ emails: [String] = ["name@example.com"], state: Account.State = .active) async throws
    -> Subject
  {
    let subject = Subject()
    for email in emails {
      let account = Fixtures.account(email, state: state, hash: "plain:a fine phrase")
      _ = try await subject.store.insert(account, request: nil, Stamp(Fixtures.time))
    }
    return subject
  }

  private func reason(_ reply: String) throws -> String? { try JSONValue.outcome(reply).string }

  @Test("only administrators may call the methods of accounts, events and the daemon's state")
  func access() async throws {
    let subject = try await subject()
    let others = [
      "account.list", "account.export", "account.import", "events.subscribe", "events.unsubscribe", "events.list",
      "daemon.status", "daemon.metrics",
    ]
    for method in Self.methods + others {
      #expect(try reason(await subject.call(method, "null", uid: 7)) == "access.denied", "\(method)")
    }
    #expect(try await subject.store.audit(after: 0, limit: 9).count == 1)
  }

  @Test("each method requires either a valid id or a valid email, and reports an unknown account", arguments: methods)
  func reference(_ method: String) async throws {
    let subject = try await subject()
    for params in [
      "{}", #"{"id":"x"}"#, #"{"id":"0192d3a4-7c1e-7b32-9f00-0123456789ab","email":"name@example.com"}"#, #"{"id":5}"#,
    ] {
      #expect(try reason(await subject.call(method, params)) == "rpc.invalidParams", "\(params)")
    }
    let unknown = #"{"id":"0192d3a4-7c1e-7b32-9f00-0123456789ab"}"#
    #expect(try reason(await subject.call(method, unknown)) == "account.notFound")
    #expect(try reason(await subject.call(method, #"{"email":"nobody@example.com"}"#)) == "account.notFound")
    let none = await subject.call(method, #"{"email":"no address"}"#)
    #expect(try reason(none) == "validation.failed")
    #expect(none.contains(#""problems":[{"field":"email","reason":"email.syntax""#))
  }

  @Test("an administrator cannot disable or enable a pending account, but can delete it")
  func pending() async throws {
    let subject = try await subject(state: .pending)
    for method in ["account.disable", "account.enable"] {
      #expect(try reason(await subject.call(method, #"{"email":"name@example.com"}"#)) == "account.pending")
    }
    #expect(try JSONValue.outcome(await subject.call("account.delete", #"{"email":"name@example.com"}"#)) == [:])
  }

  @Test("account.setPassword applies the password rules, including resemblance to the account's address")
  func passwordRules() async throws {
    let subject = try await subject()
    let reply = await subject.call(
      "account.setPassword", #"{"email":"name@example.com","password":"NAME@example.com","passwordConfirmation":"x"}"#)
    #expect(try reason(reply) == "validation.failed")
    #expect(reply.contains("password.resemblesEmail"))
    #expect(reply.contains("password.mismatch"))
    let missing = await subject.call("account.setPassword", #"{"email":"name@example.com"}"#)
    #expect(missing.contains("password.missing"))
    #expect(try await subject.store.find(EmailKey("name@example.com"))?.passwordHash.phc == "plain:a fine phrase")
  }

  @Test("account methods accept id or address, affect sign-in at once, and leave the caller's uid and pid in the audit")
  func life() async throws {
    let subject = try await subject()
    let id = try #require(await subject.store.find(EmailKey("name@example.com"))?.account.id)
    let talk = subject.talk(uid: 0, pid: 77)
    func call(_ method: String, _ params: String) async throws -> JSONValue {
      try JSONValue.outcome(await talk.call(method, params).last ?? "")
    }
    func signIn(_ password: String) async throws -> JSONValue {
      try JSONValue.outcome(await subject.call("session.signIn", "[\"name@example.com\",\"\(password)\"]"))
    }
    let account = try await call("account.get", "{\"id\":\"\(id)\"}")["account"]
    #expect(account?["email"]?.string == "name@example.com")
    #expect(
      try await call("account.disable", #"{"email":"NAME@example.com"}"#)["account"]?["state"]?.string == "disabled")
    #expect(try await signIn("a fine phrase").string == "account.disabled")
    #expect(try await signIn("another phrase").string == "credentials.rejected")
    #expect(try await call("account.enable", "{\"id\":\"\(id)\"}")["account"]?["state"]?.string == "active")
    let changed = try await call(
      "account.setPassword",
      "{\"id\":\"\(id)\",\"password\":\"a new phrase\",\"passwordConfirmation\":\"a new phrase\"}")
    #expect(changed["account"]?["id"]?.string == "\(id)")
    #expect(try await signIn("a fine phrase").string == "credentials.rejected")
    #expect(try await signIn("a new phrase")["account"] != nil)
    #expect(try await call("account.delete", "{\"id\":\"\(id)\"}") == [:])
    #expect(try await call("account.get", "{\"id\":\"\(id)\"}").string == "account.notFound")
    let events = try await call("events.list", #"{"after":1}"#)["events"]?.array ?? []
    let seen = events.map { $0["event"]?.string ?? "?" }
    #expect(seen == ["account.disabled", "account.enabled", "account.passwordSet", "account.deleted"])
    #expect(
      events.allSatisfy {
        $0["uid"]?.integer == 0 && $0["pid"]?.integer == 77 && $0["email"]?.string == "name@example.com"
      })
  }

  @Test("an invalid limit or position is an error, and the pages contain every account once")
  func pages() async throws {
    let subject = try await subject((0..<7).map { "n\($0)@example.com" })
    for params in [
      #"{"limit":0}"#, #"{"limit":1001}"#, #"{"limit":-1}"#, #"{"limit":1.5}"#, #"{"limit":9223372036854775808}"#,
      #"{"after":"x"}"#,
    ] {
      for method in ["account.list", "account.export"] {
        #expect(try reason(await subject.call(method, params)) == "rpc.invalidParams", "\(params)")
      }
    }
    #expect(try reason(await subject.call("events.list", #"{"after":-1}"#)) == "rpc.invalidParams")
    for (method, member) in [("account.list", "accounts"), ("account.export", "records")] {
      var seen: [String] = []
      var params = #"{"limit":3}"#
      while true {
        let page = try JSONValue.outcome(await subject.call(method, params))
        seen += page[member]?.array?.compactMap { $0["id"]?.string } ?? []
        guard let next = page["next"]?.string else { break }
        params = "{\"limit\":3,\"after\":\"\(next)\"}"
      }
      #expect(seen.count == 7)
      #expect(seen == Set(seen).sorted())
    }
    let reply = await subject.call("account.list", "null")
    #expect(!reply.contains("plain:"))
  }

  @Test("account.import refuses each invalid record with its reason and imports the others")
  func importRefuses() async throws {
    let hash = "$2b$04$abcdefghijklmnopqrstuuuQv9h8w1xJcWqEGrJ8KqkZJ8oG1r5aW"
    let good = "{\"email\":\"good@example.com\",\"passwordHash\":\"\(hash)\"}"
    let cases: [(record: String, reason: String)] = [
      ("5", "record.invalid"), ("null", "record.invalid"), ("[]", "record.invalid"),
      (#"{"email":5}"#, "record.invalid"), (#"{"email":"a@example.com","updatedAt":"x"}"#, "record.invalid"),
      ("{}", "email.missing"), ("{\"email\":\"a@example\",\"passwordHash\":\"\(hash)\"}", "email.domain"),
      (#"{"email":"a@example.com"}"#, "hash.missing"),
      (#"{"email":"a@example.com","passwordHash":"plaintext"}"#, "hash.unsupported"),
      (
        #"{"email":"a@example.com","passwordHash":"$argon2id$v=19$m=1048577,t=2,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAA"}"#,
        "hash.tooCostly"
      ),
      ("{\"email\":\"a@example.com\",\"passwordHash\":\"\(hash)\",\"state\":\"gone\"}", "state.invalid"),
      ("{\"email\":\"a@example.com\",\"passwordHash\":\"\(hash)\",\"createdAt\":\"yesterday\"}", "createdAt.invalid"),
      (
        "{\"email\":\"a@example.com\",\"passwordHash\":\"\(hash)\",\"createdAt\":\"9999-12-31T23:59:59-01:00\"}",
        "createdAt.invalid"
      ),
      ("{\"email\":\"a@example.com\",\"passwordHash\":\"\(hash)\",\"id\":\"7\"}", "id.invalid"),
      ("{\"email\":\"GOOD@example.com\",\"passwordHash\":\"\(hash.dropLast())S\"}", "email.taken"),
    ]
    let subject = Subject()
    let records = ([good] + cases.map(\.record)).joined(separator: ",")
    let result = try JSONValue.outcome(await subject.call("account.import", "{\"records\":[\(records)]}"))
    #expect(result["imported"]?.integer == 1)
    let refused = result["refused"]?.array ?? []
    #expect(refused.map { $0["index"]?.integer } == Array(1...cases.count))
    for (refusal, expected) in zip(refused, cases) {
      #expect(refusal["reason"]?.string == expected.reason, "\(expected.record)")
      #expect(refusal["message"]?.string?.contains("abcdefgh") == false, "\(expected.record)")
    }
    // A repeat counts the existing account as imported and writes nothing.
    let again = try JSONValue.outcome(await subject.call("account.import", "{\"records\":[\(good)]}"))
    #expect(again["imported"]?.integer == 1)
    #expect(try await subject.store.audit(after: 0, limit: 9).map(\.change) == [.imported])
  }

  @Test("account.import accepts the records of account.export, and the copy exports the same records")
  func movingHouse() async throws {
    let hash = "$scrypt$ln=4,r=8,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    let records =
      #"[{"email":"Jürgen@example.com","passwordHash":"\#(hash)","state":"disabled","createdAt":"2001-02-03T04:05:06+01:00"},{"email":"b@example.com","passwordHash":"\#(hash)","id":"0192D3A4-7C1E-7B32-9F00-0123456789AB"}]"#
    let (old, new) = (Subject(), Subject())
    _ = await old.call("account.import", "{\"records\":\(records)}")
    let exported = try JSONValue.outcome(await old.call("account.export", "null"))
    let list = try #require(exported["records"])
    #expect(list.text.contains("2001-02-03T03:05:06.000000Z"))
    #expect(list.text.contains("0192d3a4-7c1e-7b32-9f00-0123456789ab"))
    _ = await new.call("account.import", "{\"records\":\(list.text)}")
    #expect(try JSONValue.outcome(await new.call("account.export", "null")) == exported)
  }

  @Test(
    "if the n-th store call fails, the reply is an error and the account is unchanged, for each n", arguments: methods)
  func failTheNthCall(_ method: String) async throws {
    var call = 1
    while true {
      let subject = Subject(failing: call)
      let state: Account.State = method == "account.enable" ? .disabled : .active
      let before = Fixtures.account(state: state, hash: "plain:old phrase")
      _ = try await subject.store.insert(before, request: nil, Stamp(Fixtures.time))
      let params =
        method == "account.setPassword"
        ? #"{"email":"name@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"}"#
        : #"{"email":"name@example.com"}"#
      let outcome = try JSONValue.outcome(await subject.call(method, params))
      guard outcome.string == "store.readOnly" else {
        #expect(outcome.string == nil)
        #expect(call == (method == "account.get" ? 2 : 3))
        return
      }
      #expect(try await subject.store.find(EmailKey("name@example.com")) == before)
      #expect(try await subject.store.audit(after: 0, limit: 9).count == 1)
      call += 1
    }
  }
}
