import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

/// Contract 15.1, 15.2 and 15.4, over the wire.
@Suite("Groups and display names")
struct GroupMethodsTests {
  private func outcome(
    _ subject: Subject, _ method: String, _ params: String, uid: UInt32 = 0
  ) async throws -> JSONValue {
    try JSONValue.outcome(await subject.call(method, params, uid: uid))
  }

  /// Error data of a call that must fail.
  private func field(_ subject: Subject, _ method: String, _ params: String) async throws -> String? {
    let error = try #require(JSONValue(await subject.call(method, params).utf8)?["error"], "\(params)")
    return error["data"]?["field"]?.string
  }

  private func entry(_ name: String, _ more: String = "") -> String {
    #"{"email":"\#(name)@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"\#(more)}"#
  }

  private func groups(_ account: JSONValue?) -> [String?]? { account?["groups"]?.array?.map(\.string) }

  @Test("a call with a name that is not a group name, or with more than 64, is refused and names the field")
  func refused() async throws {
    let subject = Subject()
    _ = await subject.call("account.create", entry("a"))
    let many = (0..<65).map { "\"g\($0)\"" }.joined(separator: ",")
    let who = #""email":"a@example.com""#
    for list in [#"["A"]"#, #"["a",""]"#, #"["a",1]"#, "[\(many)]"] {
      let calls = [
        ("account.addGroups", "{\(who),\"groups\":\(list)}"), ("account.removeGroups", "{\(who),\"groups\":\(list)}"),
        ("account.create", #"{"email":"b@example.com","groups":\#(list)}"#),
        ("invitation.create", "{\"groups\":\(list)}"),
        ("session.signIn", #"{"email":"a@example.com","password":"a fine phrase","groups":\#(list)}"#),
      ]
      for (method, params) in calls {
        #expect(try await outcome(subject, method, params) == "rpc.invalidParams", "\(method) \(list)")
        #expect(try await field(subject, method, params) == "groups", "\(method) \(list)")
      }
    }
    for method in ["account.addGroups", "account.removeGroups"] {
      #expect(try await outcome(subject, method, "{\(who),\"groups\":[]}") == "rpc.invalidParams")
      #expect(try await outcome(subject, method, "{\(who)}") == "rpc.invalidParams")
      #expect(try await outcome(subject, method, "{\(who),\"groups\":[\"a\"]}", uid: 7) == "access.denied")
    }
    #expect(try await outcome(subject, "account.list", #"{"group":"A"}"#) == "rpc.invalidParams")
    #expect(try await outcome(subject, "group.list", #"{"after":"A"}"#) == "rpc.invalidParams")
    #expect(try await outcome(subject, "group.list", "{}", uid: 7) == "access.denied")
    #expect(try await outcome(subject, "invitation.list", "{}")["invitations"]?.array?.count == 0)
    #expect(try await subject.store.audit(after: 0, limit: 99).count == 1)
  }

  @Test("every account in a reply has its groups, sorted, and a repeat of a change of groups changes nothing")
  func added() async throws {
    let subject = Subject()
    let made = try await outcome(subject, "registration.register", entry("a"))
    #expect(groups(made["account"]) == [] && made["account"]?["displayName"] == nil)
    let who = #""email":"a@example.com""#
    for _ in 0..<2 {
      let reply = try await outcome(subject, "account.addGroups", "{\(who),\"groups\":[\"staff\",\"a\",\"staff\"]}")
      #expect(groups(reply["account"]) == ["a", "staff"])
    }
    let removed = try await outcome(subject, "account.removeGroups", "{\(who),\"groups\":[\"a\",\"x\"]}")
    #expect(groups(removed["account"]) == ["staff"])
    #expect(groups(try await outcome(subject, "account.get", "{\(who)}")["account"]) == ["staff"])
    let signedIn = try await outcome(subject, "session.signIn", #"["a@example.com","a fine phrase"]"#)
    #expect(groups(signedIn["account"]) == ["staff"])
    _ = await subject.call("account.addGroups", "{\(who),\"groups\":[\"late\"]}")
    let id = signedIn["account"]?["id"]?.string ?? ""
    let checked = try await outcome(subject, "session.check", #"["\#(id)","\#(signedIn["stamp"]?.string ?? "")"]"#)
    #expect(groups(checked["account"]) == ["late", "staff"], "a change of groups ends no stamp")
    let exported = try await outcome(subject, "owner.export", #"["a@example.com","a fine phrase"]"#)
    #expect(groups(exported["account"]) == ["late", "staff"])
    let events = try await outcome(subject, "events.list", "{}")["events"]?.array ?? []
    let grouped = Array(repeating: "account.grouped", count: 3)
    #expect(events.map { $0["event"]?.string } == ["account.registered"] + grouped)
    #expect(events.map { $0["added"]?.text } == [nil, #"["a","staff"]"#, "[]", #"["late"]"#])
    #expect(events.map { $0["removed"]?.text } == [nil, "[]", #"["a"]"#, "[]"])
  }

  @Test("a 65th group is groups.tooMany, and an unknown account is account.notFound")
  func tooMany() async throws {
    let subject = Subject()
    let many = (0..<64).map { "\"g\($0)\"" }.joined(separator: ",")
    _ = await subject.call("account.create", #"{"email":"a@example.com","groups":[\#(many)]}"#)
    #expect(
      try await outcome(subject, "account.addGroups", #"{"email":"a@example.com","groups":["x"]}"#) == "groups.tooMany")
    #expect(try await field(subject, "account.addGroups", #"{"email":"a@example.com","groups":["x"]}"#) == "groups")
    #expect(try await subject.store.groups(after: nil, limit: 99, counting: .max).elements.count == 64)
    #expect(
      try await outcome(subject, "account.addGroups", #"{"email":"b@example.com","groups":["x"]}"#)
        == "account.notFound")
  }

  @Test("groups of an invitation belong to the account that it admits, with and without verification")
  func invited() async throws {
    for isVerified in [false, true] {
      let subject = Subject(
        verification: VerificationTerms(isRequired: isVerified, hasMail: isVerified),
        admission: AdmissionTerms(mode: .invited))
      let made = try await outcome(subject, "invitation.create", #"{"groups":["staff","a"],"uses":2}"#)
      #expect(groups(made["invitation"]) == ["a", "staff"])
      let code = made["code"]?.string ?? ""
      let params = entry("a", #","invitation":"\#(code)","displayName":" Ada ""#)
      var reply = try await outcome(subject, "registration.register", params)
      if isVerified {
        let claim = try #require(reply["claim"]?["id"]?.string)
        let id = try #require(ClaimID(claim))
        let found = try #require(try await subject.store.find(id, at: Fixtures.time))
        reply = try await outcome(subject, "claim.prove", #"["\#(claim)","\#(subject.codes.code(of: found))"]"#)
      }
      #expect(groups(reply["account"]) == ["a", "staff"], "\(isVerified)")
      #expect(reply["account"]?["displayName"]?.string == "Ada")
      let changes = try await subject.store.audit(after: 0, limit: 9).map(\.change)
      #expect(changes == [.invitationCreated, .registered, .grouped])
      let listed = try await outcome(subject, "invitation.list", "{}")["invitations"]?.array
      #expect(groups(listed?.first) == ["a", "staff"])
      let without = try await outcome(subject, "invitation.create", "{}")
      #expect(without["invitation"] != nil && without["invitation"]?["groups"] == nil)
    }
  }

  @Test("group.list and account.list with a group list members in every state, page by page")
  func listed() async throws {
    let subject = Subject()
    for (number, state) in ["active", "disabled", "active"].enumerated() {
      _ = await subject.call(
        "account.create", #"{"email":"\#(number)@example.com","state":"\#(state)","groups":["g","h\#(number)"]}"#)
    }
    let first = try await outcome(subject, "group.list", #"{"limit":2}"#)
    #expect(first["groups"]?.text == #"[{"name":"g","members":3},{"name":"h0","members":1}]"#)
    let next = try #require(first["next"]?.string)
    let rest = try await outcome(subject, "group.list", #"{"after":"\#(next)"}"#)
    #expect(rest["groups"]?.array?.map { $0["name"]?.string } == ["h1", "h2"] && rest["next"] == nil)
    func members(_ more: String) async throws -> [String?] {
      let page = try await outcome(subject, "account.list", "{\"group\":\"g\"\(more)}")
      return (page["accounts"]?.array ?? []).map { $0["email"]?.string }
    }
    #expect(try await members("").count == 3)
    #expect(try await members(#","state":"disabled""#) == ["1@example.com"])
    #expect(try await members(#","limit":1"#).count == 1)
    #expect(try await outcome(subject, "account.list", #"{"group":"nobody"}"#)["accounts"]?.array?.count == 0)
  }

  @Test("session.signIn with groups refuses other accounts after a correct password, and tells a stranger nothing")
  func required() async throws {
    let subject = Subject()
    _ = await subject.call("account.create", entry("a", #","groups":["staff"]"#))
    _ = await subject.call("account.create", entry("d", #","groups":[],"state":"disabled""#))
    func signIn(_ name: String, _ password: String, _ groups: String) async throws -> JSONValue {
      let params = #"{"email":"\#(name)@example.com","password":"\#(password)","groups":\#(groups)}"#
      return try await outcome(subject, "session.signIn", params)
    }
    #expect(try await signIn("a", "wrong", #"["other"]"#) == "credentials.rejected")
    #expect(try await signIn("d", "a fine phrase", #"["other"]"#) == "account.disabled")
    for _ in 0..<2 { #expect(try await signIn("a", "a fine phrase", #"["other"]"#) == "group.required") }
    for list in ["[]", "null", #"["other","staff"]"#] {
      #expect(try await signIn("a", "a fine phrase", list)["account"] != nil, "\(list)")
    }
    _ = await subject.call("account.addGroups", #"{"email":"a@example.com","groups":["other"]}"#)
    #expect(try await signIn("a", "a fine phrase", #"["other"]"#)["account"] != nil)
    _ = await subject.call("account.removeGroups", #"{"email":"a@example.com","groups":["other"]}"#)
    #expect(try await signIn("a", "a fine phrase", #"["other"]"#) == "group.required")
  }

  @Test("a display name is validated like the other fields, and a method that sets it needs it")
  func displayName() async throws {
    let subject = Subject()
    let long = String(repeating: "x", count: 121)
    for (name, reason) in [("a\\u0000b", "displayName.invalid"), (long, "displayName.tooLong")] {
      for method in ["registration.validate", "registration.register"] {
        let reply = await subject.call(method, entry("a", #","displayName":"\#(name)""#))
        let value = try #require(JSONValue(reply.utf8))
        let problems = value["result"]?["problems"] ?? value["error"]?["data"]?["problems"]
        #expect(problems?.array?.map { $0["reason"]?.string } == [reason], "\(method)")
        #expect(problems?.array?.first?["field"]?.string == "displayName")
      }
    }
    let named = try await outcome(subject, "registration.register", entry("a", #","displayName":"Ada""#))
    #expect(named["account"]?["displayName"]?.string == "Ada")
    let owner = #""email":"a@example.com","password":"a fine phrase""#
    #expect(try await outcome(subject, "owner.setDisplayName", "{\(owner)}") == "rpc.invalidParams")
    #expect(try await outcome(subject, "account.setDisplayName", #"{"email":"a@example.com"}"#) == "rpc.invalidParams")
    #expect(
      try await outcome(subject, "owner.setDisplayName", #"{"email":"a@example.com","password":"x","displayName":"E"}"#)
        == "credentials.rejected")
    #expect(
      try await outcome(subject, "owner.setDisplayName", "{\(owner),\"displayName\":\"a\\nb\"}") == "validation.failed")
    for (name, shown) in [(#""Eva""#, "Eva"), (#""Eva""#, "Eva"), ("null", nil), (#""""#, nil)] as [(String, String?)] {
      let reply = try await outcome(subject, "owner.setDisplayName", "{\(owner),\"displayName\":\(name)}")
      #expect(reply["account"] != nil && reply["account"]?["displayName"]?.string == shown, "\(name)")
    }
    let set = try await outcome(subject, "account.setDisplayName", #"{"email":"a@example.com","displayName":"Adm"}"#)
    #expect(set["account"]?["displayName"]?.string == "Adm")
    let exported = try await outcome(subject, "owner.export", "{\(owner)}")
    #expect(exported["account"]?["displayName"]?.string == "Adm")
    let changes = try await subject.store.audit(after: 0, limit: 9).map(\.change)
    #expect(changes == [.registered, .renamed, .renamed, .renamed])
    let events = await subject.call("events.list", "{}")
    #expect(!events.contains("Eva") && !events.contains("Adm"), "the audit has no names")
  }

  @Test("two accounts may have the same display name, and it identifies neither of them")
  func sameName() async throws {
    let subject = Subject()
    for name in ["a", "b"] {
      let made = try await outcome(subject, "registration.register", entry(name, #","displayName":"Ada""#))
      #expect(made["account"]?["displayName"]?.string == "Ada", "\(name)")
    }
    #expect(try await outcome(subject, "session.signIn", #"["Ada","a fine phrase"]"#) == "credentials.rejected")
    #expect(try await outcome(subject, "account.get", #"{"email":"Ada"}"#)["account"] == nil)
  }

  @Test("groups and a display name give the owner of a waiting or pending account no access")
  func unregistered() async throws {
    let waiting = Subject(admission: AdmissionTerms(approval: .administrator))
    let pending = Subject(network: ScriptedNetwork(Script(register: [.init(.fault(.timeout))])))
    let (who, password) = (#""email":"a@example.com""#, #""password":"a fine phrase""#)
    for (subject, state) in [(waiting, "waiting"), (pending, "pending")] {
      _ = await subject.call("registration.register", entry("a"))
      let added = try await outcome(subject, "account.addGroups", "{\(who),\"groups\":[\"staff\"]}")
      #expect(added["account"]?["state"]?.string == state && groups(added["account"]) == ["staff"], "\(state)")
      let named = try await outcome(subject, "account.setDisplayName", "{\(who),\"displayName\":\"Ada\"}")
      #expect(named["account"]?["displayName"]?.string == "Ada", "\(state)")
      for group in ["other", "staff"] {
        let signIn = try await outcome(subject, "session.signIn", "{\(who),\(password),\"groups\":[\"\(group)\"]}")
        #expect(signIn.string == "account.\(state)", "\(group)")
      }
      let renamed = try await outcome(
        subject, "owner.setDisplayName", "{\(who),\(password),\"displayName\":\"Eva\"}")
      #expect(renamed.string == "account.\(state)")
    }
  }

  @Test("a form forgets a display name that is set to null or to an empty text")
  func formName() async throws {
    for removed in ["null", "\"\""] {
      let subject = Subject()
      let talk = subject.talk()
      _ = await talk.call("form.open", #"["registration"]"#)
      let entry = self.entry("a", #","displayName":"Ada","form":1"#)
      _ = await talk.call("form.set", entry)
      _ = await talk.call("form.set", "{\"form\":1,\"displayName\":\(removed)}")
      _ = await talk.call("form.submit", #"[1]"#)
      let found = try await outcome(subject, "account.get", #"{"email":"a@example.com"}"#)
      #expect(found["account"] != nil && found["account"]?["displayName"] == nil, "\(removed)")
    }
  }

  @Test("account.create for a pending registration of the same address and password adds groups and display name")
  func createdAgain() async throws {
    let subject = Subject(network: ScriptedNetwork(Script(register: [.init(.fault(.timeout)), .init(.accept)])))
    _ = await subject.call("registration.register", entry("a", #","displayName":"Old""#))
    _ = await subject.call("account.create", entry("a", #","groups":["staff"],"displayName":"Ada""#))
    let found = try await outcome(subject, "account.get", #"{"email":"a@example.com"}"#)
    #expect(groups(found["account"]) == ["staff"] && found["account"]?["displayName"]?.string == "Ada")
  }

  @Test(
    "account.create fails if a pending registration would be in more than 64 groups, and gives it no further group",
    arguments: ["active", "disabled"])
  func createdWithTooMany(_ state: String) async throws {
    let subject = Subject(network: ScriptedNetwork(Script(register: [.init(.fault(.timeout)), .init(.accept)])))
    _ = await subject.call("registration.register", entry("a"))
    func list(_ letter: String) -> String { "[\((0..<40).map { "\"\(letter)\($0)\"" }.joined(separator: ","))]" }
    _ = await subject.call("account.addGroups", #"{"email":"a@example.com","groups":\#(list("x"))}"#)
    let draft = entry("a", #","groups":\#(list("y")),"displayName":"Ada","state":"\#(state)""#)
    #expect(try await outcome(subject, "account.create", draft) == "groups.tooMany")
    let found = try await outcome(subject, "account.get", #"{"email":"a@example.com"}"#)["account"]
    #expect(found?["state"]?.string == state, "the registration is complete")
    #expect(groups(found)?.count == 40 && groups(found)?.allSatisfy { $0?.hasPrefix("x") == true } == true)
    #expect(found?["displayName"] == nil)
  }

  @Test("export and import preserve groups and display names, and import refuses bad ones")
  func moved() async throws {
    let (old, new) = (Subject(), Subject())
    _ = await old.call("account.create", #"{"email":"a@example.com","groups":["b","a"],"displayName":"Ada"}"#)
    let exported = try await outcome(old, "account.export", "null")
    let records = try #require(exported["records"])
    #expect(groups(records.array?.first) == ["a", "b"] && records.array?.first?["displayName"]?.string == "Ada")
    #expect(try await outcome(new, "account.import", "{\"records\":\(records.text)}")["imported"]?.integer == 1)
    #expect(try await outcome(new, "account.export", "null") == exported)
    let many = (0..<65).map { "\"g\($0)\"" }.joined(separator: ",")
    let bad = [
      #""groups":["A"]"#, #""groups":"a""#, "\"groups\":[\(many)]", #""groups":[1]"#, #""displayName":"a\tb""#,
      #""displayName":"\#(String(repeating: "x", count: 121))""#, #""displayName":1"#,
    ]
    let list = bad.map { #"{"email":"c@example.com","passwordHash":"*",\#($0)}"# }.joined(separator: ",")
    let twice = (0..<64).map { "\"g\($0)\"" }.joined(separator: ",") + ",\"g0\",\"g63\""
    let repeated = #"{"records":[{"email":"d@example.com","passwordHash":"*","groups":[\#(twice)]}]}"#
    #expect(try await outcome(new, "account.import", repeated)["imported"]?.integer == 1)
    #expect(groups(try await outcome(new, "account.get", #"{"email":"d@example.com"}"#)["account"])?.count == 64)
    let refused = try await outcome(new, "account.import", "{\"records\":[\(list)]}")["refused"]?.array
    #expect(
      refused?.map { $0["reason"]?.string } == [
        "groups.invalid", "groups.invalid", "groups.invalid", "groups.invalid", "displayName.invalid",
        "displayName.tooLong", "record.invalid",
      ])
  }
}
