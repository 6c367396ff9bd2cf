import RegdClient
import Registration
import StoreConformance
import TestDoubles
import Testing

@Suite("claim.*, recovery.* and owner.*")
struct ClaimMethodsTests {
  private static let terms = VerificationTerms(isRequired: true, hasMail: true)
  private let entry = #""email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""#

  private func error(_ subject: Subject, _ method: String, _ params: String, uid: UInt32 = 0) async throws -> JSONValue
  {
    try #require(JSONValue(await subject.call(method, params, uid: uid).utf8)?["error"])
  }

  private func reason(_ subject: Subject, _ method: String, _ params: String, uid: UInt32 = 0) async throws -> String? {
    try await error(subject, method, params, uid: uid)["data"]?["reason"]?.string
  }

  @Test(
    "an invalid claim id fails with claim.notFound",
    arguments: ["", "x", "00000000000000000000000000000000", "ABCDEF00000000000000000000000000"])
  func unknown(_ id: String) async throws {
    let subject = Subject(verification: Self.terms)
    #expect(try await reason(subject, "claim.prove", "{\"claim\":\"\(id)\",\"code\":\"123456\"}") == "claim.notFound")
    #expect(try await reason(subject, "claim.resend", "{\"claim\":\"\(id)\"}") == "claim.notFound")
    let finish =
      "{\"claim\":\"\(id)\",\"code\":\"123456\",\"password\":\"a fine phrase\",\"passwordConfirmation\":\"a fine phrase\"}"
    #expect(try await reason(subject, "recovery.finish", finish) == "claim.notFound")
  }

  @Test(
    "a wrong code's error has the attempts left, or states that the claim is verified, and is claim.notFound for others"
  )
  func attempts() async throws {
    let subject = Subject(verification: Self.terms)
    let reply = JSONValue(await subject.call("registration.register", "{\(entry)}", uid: 7).utf8)
    let claim = try #require(reply?["result"]?["claim"])
    #expect(claim["email"]?.string == "a@example.com")
    #expect(claim["expiresAt"]?.string == Fixtures.time.advanced(by: .seconds(86_400)).rfc3339)
    #expect(claim["resendAt"]?.string == Fixtures.time.advanced(by: .seconds(60)).rfc3339)
    let id = try #require(claim["id"]?.string)
    let number = try #require(ClaimID(id))
    let code = subject.codes.code(of: try #require(await subject.store.find(number, at: Fixtures.time)))
    let wrong = code.hasPrefix("1") ? "234567" : "123456"
    #expect(try await reason(subject, "claim.prove", "[\"\(id)\",\"\(code)\"]", uid: 8) == "claim.notFound")
    let rejected = try await error(subject, "claim.prove", "[\"\(id)\",\"\(wrong)\"]", uid: 7)
    #expect(rejected["code"]?.integer == 1010)
    #expect(rejected["data"]?["attemptsLeft"]?.integer == 4)
    #expect(rejected["message"]?.string?.hasSuffix("4 attempts are left.") == true)
    let soon = try await error(subject, "claim.resend", "[\"\(id)\"]", uid: 7)
    #expect(soon["data"]?["reason"]?.string == "rate.limited")
    #expect(soon["data"]?["retryAfter"]?.integer == 60)
    #expect(await subject.call("claim.prove", "[\"\(id)\",\"\(code)\"]", uid: 7).contains("\"state\":\"active\""))
    let late = try await error(subject, "claim.prove", "[\"\(id)\",\"\(wrong)\"]", uid: 7)
    #expect(late["data"]?["reason"]?.string == "code.rejected" && late["data"]?["attemptsLeft"]?.integer == 3)
    #expect(
      late["message"]?.string
        == "Incorrect code. The correct code was already entered, so you do not need to enter it again.")
    #expect(try await reason(subject, "claim.prove", "[\"\(id)\",\"\(wrong)\"]", uid: 8) == "claim.notFound")
  }

  @Test("while codes are being guessed, and only then, claims and forms contain the number of digits of the code")
  func digits() async throws {
    let subject = Subject(verification: Self.terms)
    let first = JSONValue(await subject.call("registration.register", "{\(entry)}", uid: 7).utf8)?["result"]?["claim"]
    #expect(first?["id"] != nil)
    #expect(first?["codeDigits"] == nil)
    for number in 0..<50 {
      let claim = ClaimScene.claim(.recovery, "a@example.com", uid: 9, origin: "\(number)")
      _ = try await subject.store.add(claim, ClaimScene.mail(claim), ClaimScene.stamp(0))
      _ = try await subject.store.guess(claim.id, ClaimScene.guess(false), ClaimScene.stamp(0))
    }
    for (method, params) in [("registration.register", "{\(entry)}"), ("recovery.start", #"["a@example.com"]"#)] {
      let claim = JSONValue(await subject.call(method, params, uid: 7).utf8)?["result"]?["claim"]
      #expect(claim?["codeDigits"]?.integer == 12, "\(method)")
    }
    let talk = subject.talk()
    _ = await talk.call("form.open", #"["recovery"]"#)
    _ = await talk.call("form.set", #"{"form":1,"email":"a@example.com"}"#)
    let submitted = await talk.call("form.submit", "[1]")
    #expect(submitted.contains { $0.contains(#""codeDigits":12"#) }, "\(submitted)")
  }

  @Test("the methods of a feature that is not configured fail with feature.off")
  func off() async throws {
    let mailless = Subject()
    #expect(try await reason(mailless, "recovery.start", #"["a@example.com"]"#) == "feature.off")
    #expect(try await reason(mailless, "recovery.finish", #"["x","1","p","p"]"#) == "feature.off")
    #expect(try await error(mailless, "recovery.start", #"["a@example.com"]"#)["code"]?.integer == -32011)
    #expect(try await reason(mailless, "claim.prove", #"["x","1"]"#) == "claim.notFound")
    let upstream = Subject(network: StagedNetwork(), verification: Self.terms)
    #expect(try await reason(upstream, "owner.delete", #"["a@example.com","x"]"#) == "feature.off")
    #expect(try await reason(upstream, "owner.changeEmail", #"["a@example.com","x","b@example.com"]"#) == "feature.off")
  }

  @Test("problems with an owner's new password or address name the fields of the owner's methods")
  func fields() async throws {
    let subject = Subject()
    _ = await subject.call("registration.register", "{\(entry)}")
    let password = try await error(
      subject, "owner.changePassword", #"["a@example.com","a fine phrase","short","other"]"#)
    #expect(
      password["data"]?["problems"]?.array?.map { $0["field"]?.string } == ["newPassword", "newPasswordConfirmation"])
    let email = try await error(subject, "owner.changeEmail", #"["a@example.com","a fine phrase","x"]"#)
    #expect(email["data"]?["problems"]?.array?.map { $0["field"]?.string } == ["newEmail"])
    #expect(try await reason(subject, "owner.export", #"["a@example.com","wrong"]"#) == "credentials.rejected")
  }

  @Test("with concealment, only administrators may check whether an address is free")
  func conceal() async throws {
    let subject = Subject(verification: VerificationTerms(isRequired: true, conceals: true, hasMail: true))
    #expect(try await reason(subject, "registration.checkEmail", #"["a@example.com"]"#, uid: 7) == "access.denied")
    #expect(await subject.call("registration.checkEmail", #"["a@example.com"]"#).contains("\"available\":true"))
  }

  @Test("claim.list returns claims to administrators, in pages")
  func list() async throws {
    let subject = Subject(verification: Self.terms)
    for _ in 0..<3 { _ = await subject.call("registration.register", "{\(entry),\"origin\":\"o\"}", uid: 7) }
    #expect(try await reason(subject, "claim.list", "null", uid: 7) == "access.denied")
    #expect(try await reason(subject, "claim.list", #"["x"]"#) == "rpc.invalidParams")
    let first = JSONValue(await subject.call("claim.list", "[null,2]").utf8)?["result"]
    #expect(first?["claims"]?.array?.count == 2)
    #expect(first?["claims"]?.array?.first?["origin"]?.string == "o")
    let next = try #require(first?["next"]?.string)
    let second = JSONValue(await subject.call("claim.list", "[\"\(next)\",2]").utf8)?["result"]
    #expect(second?["claims"]?.array?.count == 1)
    #expect(second?["next"] == nil)
  }
}
