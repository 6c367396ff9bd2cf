import RegdClient
import Registration
import RehearsedNetworks
import TestDoubles
import Testing

@Suite("Admission rules in forms, over the wire")
struct AdmissionFormMethodsTests {
  private let entry = #""email":"new@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""#

  private func form(_ subject: Subject, _ more: String = "") async throws -> (Talk, JSONValue) {
    let talk = subject.talk()
    _ = await talk.call("form.open", #"["registration"]"#)
    let lines = await talk.call("form.set", "{\"form\":1,\(entry)\(more)}")
    return (talk, try state(lines))
  }

  private func state(_ lines: [String]) throws -> JSONValue {
    let reply = try #require(lines.first { $0.contains("\"id\":1") })
    return try #require(JSONValue(reply.utf8)?["result"]?["state"])
  }

  @Test("the state lists what is needed, but neither invitation nor version; by default it does not contain `needs`")
  func needs() async throws {
    let subject = Subject(admission: AdmissionTerms(mode: .invited), terms: TermsOfUse(version: "2026-11", url: ""))
    let code = try await subject.invite()
    let (_, bare) = try await form(subject)
    #expect(bare["needs"]?.text == #"["invitation","terms"]"# && bare["registrationEnabled"]?.bool == false)
    let (talk, filled) = try await form(subject, ",\"invitation\":\"\(code)\",\"terms\":\"2026-11\"")
    #expect(filled["needs"]?.text == #"["invitation","terms"]"# && filled["registrationEnabled"]?.bool == true)
    #expect(!filled.text.contains(code) && !filled.text.contains("2026-11"))
    #expect(await talk.call("form.submit", "[1]").contains { $0.contains(#""to":"welcome""#) })
    #expect(try await form(Subject()).1["needs"] == nil)
  }

  @Test("a rejected invitation disables the button until the caller sets another invitation")
  func rejected() async throws {
    let subject = Subject(admission: AdmissionTerms(mode: .invited))
    let (talk, _) = try await form(subject, #","invitation":"x""#)
    let lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == ["activityStarted", "activityEnded", "alert", "reply", "changed"])
    #expect(lines[2].contains(#""reason":"invitation.rejected""#))
    #expect(try state(lines)["registrationEnabled"]?.bool == false)
    let code = try await subject.invite()
    let set = try state(await talk.call("form.set", "{\"form\":1,\"invitation\":\"\(code)\"}"))
    #expect(set["registrationEnabled"]?.bool == true && set["errorMessage"] == .null)
    #expect(await talk.call("form.submit", "[1]").contains { $0.contains(#""to":"welcome""#) })
  }

  @Test("a form submitted while registration is closed only gets an alert, even if the form was enabled before")
  func closed() async throws {
    let subject = Subject()
    let (talk, open) = try await form(subject)
    #expect(open["registrationEnabled"]?.bool == true)
    subject.reload(AdmissionTerms(mode: .closed))
    let lines = await talk.call("form.submit", "[1]")
    #expect(try Talk.kinds(lines) == ["alert", "reply", "changed"])
    #expect(lines[0].contains(#""reason":"registration.closed","message":"Registration is closed at the moment.""#))
    #expect(try state(lines)["registrationEnabled"]?.bool == false)
    #expect(try await form(subject).1["registrationEnabled"]?.bool == false)
    #expect(try await subject.store.list(after: nil, limit: 1).isEmpty)
  }

  @Test("the same address and password repeat a pending registration that used a mailed invitation")
  func mailedAndPending() async throws {
    let network = ScriptedNetwork(Script(register: [try Script.Step("timeout"), try Script.Step("accept")]))
    let subject = Subject(
      network: network, mail: StagedMail(), verification: VerificationTerms(isRequired: true, hasMail: true),
      admission: AdmissionTerms(mode: .invited))
    let made = try JSONValue.outcome(
      await subject.call("invitation.create", #"{"email":"new@example.com","send":true}"#))
    let id = try #require(made["invitation"]?["id"]?.string.flatMap { InvitationID($0) })
    func register(_ password: String) async throws -> JSONValue {
      let password = "\"password\":\"\(password)\",\"passwordConfirmation\":\"\(password)\""
      let invitation = "\"invitation\":\"\(subject.codes.code(ofInvitation: id))\""
      return try JSONValue.outcome(
        await subject.call("registration.register", "{\"email\":\"new@example.com\",\(password),\(invitation)}"))
    }
    #expect(try await register("a fine phrase").string == "network.timeout")
    #expect(try await register("another phrase").string == "invitation.rejected")
    #expect(try await register("a fine phrase")["account"]?["state"]?.string == "active")
  }

  @Test("a form with a mailed invitation leads to welcome without a code")
  func mailed() async throws {
    let subject = Subject(
      mail: StagedMail(), verification: VerificationTerms(isRequired: true, hasMail: true),
      admission: AdmissionTerms(mode: .invited))
    let made = try JSONValue.outcome(
      await subject.call("invitation.create", #"{"email":"new@example.com","send":true}"#))
    let id = try #require(made["invitation"]?["id"]?.string.flatMap { InvitationID($0) })
    let (talk, _) = try await form(subject, ",\"invitation\":\"\(subject.codes.code(ofInvitation: id))\"")
    let lines = await talk.call("form.submit", "[1]")
    #expect(lines.contains { $0.contains(#""to":"welcome""#) } && !lines.contains { $0.contains(#""claim""#) })
  }
}
