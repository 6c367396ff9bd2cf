import AddressNormalization
import JSONRPC
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

@testable import Methods

@Suite("Methods")
struct MethodsTests {
  private static let entry =
    #"{"email":"Name@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"}"#

  @Test("registration.validate reports missing and null members as problems, and other types as params errors")
  func validateRefuses() async {
    let subject = Subject()
    for params in ["null", "{}", "[]", "[null,null,null]", #"{"email":null,"password":null}"#] {
      let reply = await subject.call("registration.validate", params)
      #expect(
        reply.contains(
          #""result":{"emailValid":false,"passwordValid":false,"registrationEnabled":false,"normalizedEmail":null,"problems":[{"field":"email","reason":"email.missing""#
        ))
    }
    for (params, field) in [
      (#"{"email":5}"#, "email"), (#"{"password":["x"]}"#, "password"),
      (#"{"passwordConfirmation":true}"#, "passwordConfirmation"),
      (#"{"Email":"x"}"#, "Email"),
    ] {
      let reply = await subject.call("registration.validate", params)
      #expect(reply.contains("\"code\":-32602"))
      #expect(reply.contains("\"field\":\"\(field)\""))
    }
  }

  @Test("registration.validate reports every problem of an entry at once, in order")
  func validateAll() async throws {
    let reply = await Subject().call(
      "registration.validate", #"{"email":"email@test","password":"12345","passwordConfirmation":null}"#)
    let reasons = reply.split(separator: "\"reason\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(
      reasons == ["email.domain", "password.tooShort", "password.common", "password.confirmationMissing"])
  }

  @Test("the reply of registration.validate to a valid entry has the expected bytes")
  func validate() async {
    #expect(
      await Subject().call("registration.validate", Self.entry)
        == #"{"jsonrpc":"2.0","id":1,"result":{"emailValid":true,"passwordValid":true,"registrationEnabled":true,"normalizedEmail":"name@example.com","problems":[]}}"#
    )
  }

  @Test("the replies to a registration, its repeat and a sign-in have the expected bytes, except for the id")
  func register() async throws {
    let subject = Subject()
    let reply = await subject.call("registration.register", Self.entry)
    let stored = try #require(await subject.store.find(EmailKey("name@example.com"))?.account)
    let (id, stamp) = (stored.id, try #require(subject.registrar.value.stamps?.stamp(of: stored)))
    let account =
      #"{"jsonrpc":"2.0","id":1,"result":{"account":{"id":"\#(id)","email":"Name@example.com","state":"active","createdAt":"\#(Fixtures.time.rfc3339)","updatedAt":"\#(Fixtures.time.rfc3339)","groups":[]},"stamp":"\#(stamp)"}}"#
    #expect(reply == account)
    #expect(
      await subject.call("registration.register", Self.entry)
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":1002,"message":"Sorry, provided email address is already taken","data":{"reason":"email.taken","retryable":false}}}"#
    )
    #expect(await subject.call("session.signIn", #"["NAME@example.com","a fine phrase"]"#) == account)
  }

  @Test(
    "unknown addresses, wrong passwords and invalid addresses get the same reply; a missing member is a params error")
  func signIn() async {
    let subject = Subject()
    _ = await subject.call("registration.register", Self.entry)
    let unknown = await subject.call("session.signIn", #"["nobody@example.com","a fine phrase"]"#)
    #expect(unknown.contains(#""code":1003"#))
    #expect(unknown.contains(#""reason":"credentials.rejected""#))
    #expect(await subject.call("session.signIn", #"["name@example.com","another phrase"]"#) == unknown)
    #expect(await subject.call("session.signIn", #"["name","a fine phrase"]"#) == unknown)
    #expect(await subject.call("session.signIn", #"["",""]"#) == unknown)
    #expect(await subject.call("session.signIn", #"{"email":"name@example.com"}"#).contains("-32602"))
  }

  @Test("a composed and a decomposed password are equal")
  func normalForms() async {
    let subject = Subject()
    _ = await subject.call(
      "registration.register",
      #"{"email":"a@example.com","password":"caf\u00e9 au lait","passwordConfirmation":"cafe\u0301 au lait"}"#)
    #expect(await subject.call("session.signIn", #"["a@example.com","cafe\u0301 au lait"]"#).contains(#""account""#))
  }

  @Test("only the correct password reveals that an account may not sign in")
  func states() async throws {
    let subject = Subject()
    for (state, code) in [(Account.State.disabled, 1005), (.pending, 1008)] {
      _ = try await subject.store.insert(
        Fixtures.account("\(state)@example.com", state: state, hash: "plain:a fine phrase"))
      #expect(
        await subject.call("session.signIn", #"["\#(state)@example.com","a fine phrase"]"#).contains("\"code\":\(code)")
      )
      #expect(await subject.call("session.signIn", #"["\#(state)@example.com","x"]"#).contains("\"code\":1003"))
    }
  }

  static let networkFailures: [(step: String, code: Int, reason: String, isPending: Bool)] = [
    ("offline", 2001, "network.offline", false), ("unavailable retryAfter=7", 2002, "network.unavailable", false),
    ("timeout", 2003, "network.timeout", true), ("empty", 2004, "network.emptyResponse", true),
    ("malformed", 2005, "network.malformedResponse", true), ("reject", 2006, "network.rejected", false),
    ("untrusted", 2007, "network.untrusted", false), ("fail", 2008, "network.failed", true),
  ]

  @Test(
    "each network failure has its code and shows whether the registration is pending",
    arguments: networkFailures.indices)
  func network(_ index: Int) async throws {
    let (text, code, reason, isPending) = Self.networkFailures[index]
    let step = try Script.Step(text)
    let subject = Subject(network: ScriptedNetwork(Script(checkEmail: [step], register: [step])))
    for (method, params) in [("registration.checkEmail", "[\"b@example.com\"]"), ("registration.register", Self.entry)]
    {
      let reply = await subject.call(method, params)
      #expect(reply.contains("\"code\":\(code),"))
      #expect(reply.contains("\"reason\":\"\(reason)\""))
      #expect(reply.contains("\"pending\":true") == (isPending && method == "registration.register"))
      #expect(reply.contains("\"retryAfter\":7") == text.hasPrefix("unavailable"))
    }
    let left = try await subject.store.find(EmailKey("name@example.com"))
    #expect(left?.account.state == (isPending ? .pending : nil))
  }

  @Test("a failing store leads to an error, never to a result")
  func store() async {
    for (method, params) in [
      ("registration.checkEmail", "[\"a@example.com\"]"), ("registration.register", Self.entry),
      ("session.signIn", #"["a@example.com","x"]"#),
    ] {
      let reply = await Subject(failing: 1).call(method, params)
      #expect(reply.contains(#""code":3003"#))
      #expect(reply.contains(#""reason":"store.readOnly""#))
    }
  }

  @Test("a full hashing queue fails with server.busy and the time to wait")
  func busy() async {
    let subject = Subject(hasher: StagedHasher(failure: .busy(retryAfterSeconds: 9)))
    for (method, params) in [("registration.register", Self.entry), ("session.signIn", #"["a@example.com","x"]"#)] {
      let reply = await subject.call(method, params)
      #expect(reply.contains(#""code":-32009"#))
      #expect(reply.contains(#""data":{"reason":"server.busy","retryable":true,"retryAfter":9}"#))
    }
  }

  @Test("registration.checkEmail reports the problems of an invalid address")
  func checkEmail() async {
    let subject = Subject()
    for params in ["{}", #"{"email":null}"#, #"{"email":"name@example"}"#] {
      let reply = await subject.call("registration.checkEmail", params)
      #expect(reply.contains(#""code":1001"#))
      #expect(reply.contains(#""problems":[{"field":"email","reason":"email."#))
    }
    #expect(
      await subject.call("registration.checkEmail", #"["free@example.com"]"#)
        == #"{"jsonrpc":"2.0","id":1,"result":{"available":true}}"#)
  }

  @Test("registration.validate and registration.register agree on random entries")
  func agreement() async {
    let subject = Subject()
    var random = SystemRandomNumberGenerator()
    let words = [
      "null", "\"\"", "\"a\"", "\"name@example.com\"", "\"name@example\"", "\"password\"", "\"a fine phrase\"",
      "\"12345678\"",
      "\"\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\\u00e9\"", "\"x@y.z \"",
    ]
    for _ in 0..<500 {
      let params = "[" + (0..<3).map { _ in words.randomElement(using: &random) ?? "null" }.joined(separator: ",") + "]"
      let isValid = await subject.call("registration.validate", params).contains("\"registrationEnabled\":true")
      let isRefused = await subject.call("registration.register", params).contains("validation.failed")
      #expect(isValid != isRefused, "\(params)")
    }
  }

  @Test("the replies of rpc.serverInfo and rpc.ping have the expected bytes")
  func serverInfo() async {
    #expect(
      await Subject().call("rpc.serverInfo", "{}")
        == #"{"jsonrpc":"2.0","id":1,"result":{"name":"regd","version":"1.2.3","uptimeSeconds":42,"limits":{"messageBytes":1048576,"depth":64,"batchItems":100,"idBytes":1024,"responseBytes":1048576,"inFlightPerConnection":64,"inFlightPerUID":8192,"connections":4096,"connectionsPerUID":1024,"queuedBytesPerConnection":1048576,"queuedBytesPerUID":8388608,"heldBytesPerUID":33554432,"stalledSeconds":30,"idleSeconds":0,"requestsPerSecondPerUID":0,"requestSeconds":30},"network":{"backend":"http"},"store":{"backend":"sqlite"},"environment":{"name":"success","summary":"the upstream accepts every registration","gives":"success"},"registration":{"mode":"open","verification":"none","approval":"none","password":{"minimumLength":8,"maximumLength":256,"refuseCommon":true,"refuseResemblingEmail":true,"refuseBreached":false},"email":{"maximumLength":254,"internationalized":true}}}}"#
    )
    #expect(await Subject().call("rpc.ping", "null") == #"{"jsonrpc":"2.0","id":1,"result":"pong"}"#)
  }
}
