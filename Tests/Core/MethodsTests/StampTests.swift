import JSONRPC
import RegdClient
import Registration
import TestDoubles
import Testing

/// Checks which replies begin a sign-in.
@Suite("Stamps of sign-ins, over the wire")
struct StampTests {
  @Test("a recovery ends the earlier sign-ins, and its reply begins a new one, which a repeat returns again")
  func recovered() async throws {
    let subject = try await Subject(verification: VerificationTerms(resend: .zero, hasMail: true)).registered()
    let before = try await subject.signIn()
    let started = try await subject.outcome("recovery.start", Subject.who)
    let claim = try await subject.claim(started)
    let finish = "{\(claim),\"password\":\"a new phrase\",\"passwordConfirmation\":\"a new phrase\"}"
    let recovered = try KeptSession(try await subject.outcome("recovery.finish", finish))
    #expect(try await subject.check(before) == "session.ended")
    #expect(try await subject.check(recovered) == nil)
    #expect(try KeptSession(try await subject.outcome("recovery.finish", finish)) == recovered)
    #expect(try await subject.check(recovered) == nil)
  }

  @Test("a registration is a sign-in if its account is active; a repeat returns the same sign-in, even an ended one")
  func registrations() async throws {
    let subject = Subject()
    let made = try KeptSession(try await subject.outcome("registration.register", Subject.entry))
    #expect(try await subject.signIn() == made)
    #expect(try KeptSession(try await subject.outcome("registration.register", Subject.entry)) == made)
    // A caller with the old password and the request gets no sign-in for the new password.
    _ = try await subject.outcome("account.setPassword", Subject.setting)
    let again = try await subject.outcome("registration.register", Subject.entry)
    #expect(try KeptSession(again) == made)
    #expect(try await subject.check(made) == "session.ended")
    _ = try await subject.outcome("account.disable", Subject.who)
    #expect(try await subject.outcome("registration.register", Subject.entry)["stamp"] == nil)
  }

  @Test("an account that waits for approval has no stamp")
  func waiting() async throws {
    let subject = Subject(admission: AdmissionTerms(approval: .administrator))
    #expect(try await subject.outcome("registration.register", Subject.entry)["stamp"] == nil)
    #expect(try await subject.outcome("account.approve", Subject.who)["stamp"] == nil)
    let repeated = try KeptSession(try await subject.outcome("registration.register", Subject.entry))
    #expect(try await subject.check(repeated) == nil)
    #expect(try await subject.signIn() == repeated)
  }

  @Test("claim.prove begins a sign-in; a repeat after a sign-out returns the ended sign-in")
  func proofs() async throws {
    let subject = Subject(verification: VerificationTerms(isRequired: true, resend: .zero, hasMail: true))
    let claimed = try await subject.outcome("registration.register", Subject.entry)
    #expect(claimed["stamp"] == nil)
    let claim = try await subject.claim(claimed)
    let proven = try KeptSession(try await subject.outcome("claim.prove", "{\(claim)}"))
    #expect(try await subject.check(proven) == nil)
    let change = try await subject.outcome("owner.changeEmail", "{\(Subject.owner),\"newEmail\":\"b@example.com\"}")
    let other = try await subject.claim(change)
    #expect(
      try KeptSession(try await subject.outcome("claim.prove", "{\(other)}")) == proven, "another address ends nothing")
    _ = try await subject.outcome("account.signOut", #"{"email":"b@example.com"}"#)
    for claim in [claim, other] {
      #expect(try KeptSession(try await subject.outcome("claim.prove", "{\(claim)}")) == proven)
    }
    #expect(try await subject.check(proven) == "session.ended")
  }

  @Test("a change of address from before a sign-out begins no valid sign-in after it")
  func lateProof() async throws {
    let subject = Subject(verification: VerificationTerms(isRequired: true, resend: .zero, hasMail: true))
    let claim = try await subject.claim(try await subject.outcome("registration.register", Subject.entry))
    _ = try await subject.outcome("claim.prove", "{\(claim)}")
    let change = try await subject.outcome("owner.changeEmail", "{\(Subject.owner),\"newEmail\":\"b@example.com\"}")
    let other = try await subject.claim(change)
    let now = try KeptSession(try await subject.outcome("owner.signOut", "{\(Subject.owner)}"))
    let proven = try KeptSession(try await subject.outcome("claim.prove", "{\(other)}"))
    #expect(try await subject.check(proven) == "session.ended")
    #expect(try await subject.check(now) == nil)
  }

  @Test("a form that has signed in, registered or recovered contains the stamp until its entry changes")
  func forms() async throws {
    let subject = Subject(verification: VerificationTerms(resend: .zero, hasMail: true))
    func submit(_ talk: Talk) async throws -> JSONValue {
      let lines = await talk.call("form.submit", "[1]")
      let replies = lines.compactMap { JSONValue($0.utf8)?["result"]?["state"] }
      return try #require(replies.first)
    }
    let registering = await subject.filledForm()
    let registered = try await submit(registering)
    let stamp = try #require(registered["stamp"]?.string)
    let account = try #require(try await subject.store.find(EmailKey("new@example.com")))
    #expect(try await subject.check(KeptSession(account: account.account.id.description, stamp: stamp)) == nil)
    let typed = await registering.call("form.set", #"{"form":1,"email":"other@example.com"}"#).first ?? ""
    #expect(!typed.contains("stamp"))

    let signingIn = subject.talk()
    let password = String(account.passwordHash.phc.dropFirst("plain:".count))
    let opened = await signingIn.call("form.open", #"["signIn"]"#)
    #expect(opened.last?.contains("stamp") == false)
    _ = await signingIn.call("form.set", #"{"form":1,"email":"new@example.com","password":"\#(password)"}"#)
    #expect(try await submit(signingIn)["stamp"]?.string == stamp)
    let again = await signingIn.call("form.set", #"{"form":1,"password":"another"}"#).first ?? ""
    #expect(again.contains("\"signedIn\":false") && !again.contains("stamp"), "\(again)")

    let recovering = subject.talk()
    _ = await recovering.call("form.open", #"["recovery"]"#)
    _ = await recovering.call("form.set", #"{"form":1,"email":"new@example.com"}"#)
    let claim = try await subject.claim(try await submit(recovering))
    let code = claim.split(separator: "\"").last ?? ""
    _ = await recovering.call(
      "form.set", #"{"form":1,"code":"\#(code)","password":"a new phrase","passwordConfirmation":"a new phrase"}"#)
    let recovered = try #require(try await submit(recovering)["stamp"]?.string)
    #expect(recovered != stamp)
    #expect(
      try await subject.check(KeptSession(account: account.account.id.description, stamp: stamp)) == "session.ended")
    #expect(try await subject.check(KeptSession(account: account.account.id.description, stamp: recovered)) == nil)
  }
}
