import JSONRPC
import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

/// Forms of a daemon that requires email verification.
@Suite("Codes in forms over the wire")
struct FormCodeTests {
  private static let required = VerificationTerms(isRequired: true, attempts: 2, hasMail: true)
  private static let done = ["activityStarted", "activityEnded", "navigate", "reply", "changed"]
  private static let refused = ["activityStarted", "activityEnded", "alert", "reply", "changed"]

  /// A conversation with a registration form that waits for its code.
  private func claimed(_ subject: Subject) async throws -> (talk: Talk, claim: AddressClaim) {
    let talk = await subject.filledForm()
    let lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.done)
    return (talk, try await claim(of: lines[3], subject))
  }

  /// The stored claim of the state in a reply.
  private func claim(of reply: String, _ subject: Subject) async throws -> AddressClaim {
    let id = JSONValue(reply.utf8)?["result"]?["state"]?["claim"]?["id"]?.string.flatMap { ClaimID($0) }
    let found = try await subject.store.find(try #require(id, "\(reply)"), at: Fixtures.time)
    return try #require(found)
  }

  private func wrong(_ code: String) -> String { String(code.map { $0 == "0" ? "1" : "0" }) }

  @Test(
    "a recovery form takes as long as recovery.start at least, so the time does not reveal whether an account exists")
  func leastTime() async throws {
    let talk = Subject(verification: VerificationTerms(hasMail: true)).talk(uid: 7)
    _ = await talk.call("form.open", "[\"recovery\"]")
    _ = await talk.call("form.set", "[1,\"nobody@example.com\"]")
    let begun = ContinuousClock.now
    #expect(try Talk.kinds(await talk.call("form.submit", "[1]")) == Self.done)
    #expect(ContinuousClock.now - begun >= .milliseconds(20))
  }

  @Test("form.open refuses a recovery form if recovery is not configured")
  func off() async throws {
    let reply = await Subject().talk().call("form.open", "[\"recovery\"]").last ?? ""
    #expect(try JSONValue.outcome(reply) == "feature.off", "\(reply)")
    let other = await Subject().talk().call("form.open", "[\"other\"]").last ?? ""
    #expect(other.contains(#"\"registration\", \"signIn\" or \"recovery\""#), "\(other)")
  }

  @Test(
    "a registration form leads to the code and then to welcome; in between, its state contains the claim, to the byte")
  func registered() async throws {
    let subject = Subject(verification: Self.required)
    let talk = await subject.filledForm()
    var lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.done)
    #expect(lines[2].contains(#""event":"navigate","to":"code"}"#))
    let claim = try await claim(of: lines[3], subject)
    let shown =
      #""claim":{"id":"\#(claim.id)","email":"new@example.com","expiresAt":"\#(claim.expiresAt.rfc3339)","resendAt":"\#(claim.resendAt.rfc3339)"}}"#
    #expect(
      lines[3].hasSuffix(
        #""passwordValid":true,"registrationEnabled":false,"problems":[],"errorMessage":null,"registered":false,"#
          + shown + "}}"), "\(lines[3])")
    #expect(try await subject.store.find(EmailKey("new@example.com")) == nil)
    let set = await talk.call("form.set", "{\"form\":1,\"code\":\"\(subject.codes.code(of: claim))\"}")
    #expect(try Talk.kinds(set) == ["reply", "changed"] && set[0].contains(#""registrationEnabled":true"#))
    lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.done)
    #expect(lines[2].contains(#""to":"welcome""#) && lines[3].contains(#""registered":true,"stamp":""#))
    #expect(try await subject.store.find(EmailKey("new@example.com"))?.account.state == .active)
  }

  @Test("a wrong code shows the attempts left; the last attempt leads back to the entry, and then to another claim")
  func wrongCode() async throws {
    let subject = Subject(verification: Self.required)
    let (talk, claim) = try await claimed(subject)
    let wrong = wrong(subject.codes.code(of: claim))
    _ = await talk.call("form.set", "{\"form\":1,\"code\":\"\(wrong)\"}")
    var lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.refused)
    #expect(lines[2].contains(#""event":"alert","reason":"code.rejected","message":"#))
    #expect(lines[2].hasSuffix(#" One attempt is left.","attemptsLeft":1}}"#), "\(lines[2])")
    #expect(lines[3].contains(#""registrationEnabled":false"#) && lines[3].contains("\"claim\""))
    // The same code again costs no attempt.
    lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == ["alert", "reply"] && lines[0].contains(#""attemptsLeft":1"#))
    #expect(try await subject.store.find(claim.id, at: Fixtures.time)?.attempts == 1)
    _ = await talk.call("form.set", "{\"form\":1,\"code\":\"\(wrong.replacing("0", with: "2"))\"}")
    lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.refused && lines[2].hasSuffix(#""attemptsLeft":0}}"#))
    #expect(!lines[3].contains("\"claim\"") && lines[3].contains(#""registrationEnabled":true"#))
    lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.done && lines[2].contains(#""to":"code""#))
    #expect(try await self.claim(of: lines[3], subject).id != claim.id)
  }

  @Test("a malformed code only shows an alert and costs no attempt")
  func shape() async throws {
    let subject = Subject(verification: Self.required)
    let (talk, claim) = try await claimed(subject)
    _ = await talk.call("form.set", #"{"form":1,"code":"12345"}"#)
    let lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == ["alert", "reply", "changed"])
    #expect(lines[0].contains("code.rejected") && !lines[0].contains("attemptsLeft"))
    #expect(try await subject.store.find(claim.id, at: Fixtures.time)?.attempts == 0)
  }

  @Test("a claim that is gone leads back to the entry; a taken address keeps the button disabled")
  func gone() async throws {
    let subject = Subject(verification: Self.required)
    let (talk, claim) = try await claimed(subject)
    let code = subject.codes.code(of: claim)
    try await subject.store.end(claim.id)
    _ = await talk.call("form.set", "{\"form\":1,\"code\":\"\(code)\"}")
    var lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.refused && lines[2].contains("claim.notFound"))
    #expect(!lines[3].contains("\"claim\"") && lines[3].contains(#""registrationEnabled":true"#))
    let next = try await self.claim(of: await talk.call("form.submit", "[1]")[3], subject)
    _ = try await subject.store.insert(Fixtures.account("new@example.com"), request: nil, Stamp(Fixtures.time))
    _ = await talk.call("form.set", "{\"form\":1,\"code\":\"\(subject.codes.code(of: next))\"}")
    lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.refused && lines[2].contains("email.taken"))
    #expect(!lines[3].contains("\"claim\"") && lines[3].contains(#""registrationEnabled":false"#))
  }

  @Test("after network.offline the code may be tried again, and after a refusal by the upstream the claim is gone")
  func upstream() async throws {
    let script = Script(
      checkEmail: [.init(.accept)], register: [.init(.fault(.offline)), try Script.Step("reject"), .init(.accept)])
    let subject = Subject(network: ScriptedNetwork(script), verification: Self.required)
    let (talk, claim) = try await claimed(subject)
    _ = await talk.call("form.set", "{\"form\":1,\"code\":\"\(subject.codes.code(of: claim))\"}")
    var lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.refused && lines[2].contains("network.offline"))
    #expect(lines[3].contains("\"claim\"") && lines[3].contains(#""registrationEnabled":true"#))
    lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.refused && lines[2].contains("network.rejected"), "\(lines)")
    #expect(!lines[3].contains("\"claim\""))
  }

  @Test(
    "a recovery form shows the same state for an address with and without an account, and the code sets the password"
  )
  func recovered() async throws {
    let subject = Subject(verification: VerificationTerms(hasMail: true))
    _ = try await subject.store.insert(
      Fixtures.account("name@example.com", hash: "plain:an old phrase"), request: nil, Stamp(Fixtures.time))
    var states: [String] = []
    var last = (talk: subject.talk(), reply: "")
    for email in ["nobody@example.com", "name@example.com"] {
      let talk = subject.talk(uid: 7)
      let opened = await talk.call("form.open", "[\"recovery\"]")
      #expect(opened.first?.contains(#""recoveryEnabled":false,"problems":[{"field":"email""#) == true, "\(opened)")
      _ = await talk.call("form.set", "[1,\"\(email)\"]")
      let lines = await talk.call("form.submit", "[1]")
      #expect(try Talk.kinds(lines) == Self.done && lines[2].contains(#""to":"code""#))
      let claim = try await claim(of: lines[3], subject)
      states.append(lines[3].replacing(email, with: "EMAIL").replacing("\(claim.id)", with: "ID"))
      last = (talk, lines[3])
    }
    #expect(Set(states).count == 1, "\(states)")
    let code = subject.codes.code(of: try await claim(of: last.reply, subject))
    _ = await last.talk.call(
      "form.set",
      "{\"form\":1,\"code\":\"\(code)\",\"password\":\"a new phrase\",\"passwordConfirmation\":\"a new phrase\"}")
    let lines = await last.talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == Self.done && lines[2].contains(#""to":"welcome""#), "\(lines)")
    #expect(lines[3].contains(#""recovered":true,"stamp":""#))
    let signedIn = await subject.call("session.signIn", "[\"name@example.com\",\"a new phrase\"]")
    #expect(signedIn.contains("\"account\""), "\(signedIn)")
  }

  @Test("no state and no notification contains a code or a password")
  func secrets() async throws {
    let subject = Subject(verification: Self.required)
    let (talk, claim) = try await claimed(subject)
    let code = subject.codes.code(of: claim)
    var lines = await talk.call("form.set", "{\"form\":1,\"code\":\"\(code)\"}")
    lines += await talk.call("form.submit", "[1]")
    #expect(!lines.joined().contains(code) && !lines.joined().contains("a fine phrase"))
  }

  @Test("after claim.resend, the form shows the claim's new time and accepts a previously wrong code again")
  func resent() async throws {
    let subject = Subject(verification: VerificationTerms(isRequired: true, resend: .zero, hasMail: true))
    let (talk, claim) = try await claimed(subject)
    _ = await talk.call("form.open", "[\"signIn\"]")
    _ = await talk.call("form.set", "{\"form\":1,\"code\":\"\(wrong(subject.codes.code(of: claim)))\"}")
    _ = await talk.call("form.submit", "[1]")
    let (old, rules) = (subject.registrar.value, subject.registrar.value.rules)
    subject.registrar.replace(
      old.adapted(
        to: .init(
          rules: rules, network: nil, signIns: nil, signInAuthority: .store, defersWhenUnreachable: false,
          disbelief: .zero, verification: Self.required)))
    let lines = await talk.call("claim.resend", "[\"\(claim.id)\"]")
    try #require(try Talk.kinds(lines) == ["reply", "changed"], "\(lines)")
    let time = Fixtures.time.advanced(by: .seconds(60)).rfc3339
    #expect(lines[0].contains("\"resendAt\":\"\(time)\"") && lines[1].contains("\"resendAt\":\"\(time)\""), "\(lines)")
    #expect(lines[1].contains(#""form":1"#) && lines[1].contains(#""registrationEnabled":true"#), "\(lines[1])")
  }
}
