import JSONRPC
import Reasons
import RegdClient
import Registration
import TestDoubles
import Testing

@testable import Methods

@Suite("Reports of refused attempts")
struct RefusalTests {
  private static let wrong = #""email":"nobody@example.com","password":"a wrong phrase""#
  private static let claim = #""claim":"0198c0ff-ee00-7000-8000-000000000001","code":"123456""#

  @Test(
    "each refusal of a sign-in, registration, code, recovery or owner's call is reported with reason, user and origin",
    arguments: [
      ("session.signIn", wrong),
      ("registration.register", #""email":"x","password":"y","passwordConfirmation":"y""#),
      ("claim.prove", claim),
      ("claim.resend", #""claim":"0198c0ff-ee00-7000-8000-000000000001""#),
      ("recovery.start", #""email":"a@example.com""#),
      ("recovery.finish", claim),
      ("owner.delete", wrong),
      ("owner.export", wrong),
      ("owner.changePassword", wrong),
      ("owner.changeEmail", "\(wrong),\"newEmail\":\"b@example.com\""),
    ])
  func told(_ method: String, _ members: String) async throws {
    let subject = Subject()
    for (origin, name) in [(",\"origin\":\"203.0.113.7\"", "203.0.113.7"), ("", "-")] {
      let told = await subject.call(method, "{\(members)\(origin)}", uid: 33)
      let reason = try #require(JSONValue.outcome(told).string, "\(told)")
      #expect(!reason.hasPrefix("network.") && !reason.hasPrefix("rpc."))
      #expect(subject.refusals.taken() == ["\(method) \(reason) 33 \(name)"])
    }
  }

  @Test("successes, invalid params and failures of regd or its parts are not reported as refused attempts")
  func untold() async {
    let subject = Subject(network: FailingNetwork(.timeout))
    let entry = #""email":"a@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase""#
    #expect(await subject.call("registration.register", "{\(entry)}").contains("network.timeout"))
    #expect(await subject.call("session.signIn", "{}").contains("rpc.invalidParams"))
    #expect(await Subject().call("registration.register", "{\(entry)}").contains("active"))
    let faulty = Subject(failing: 1)
    #expect(await faulty.call("session.signIn", "{\(Self.wrong)}").contains("store.readOnly"))
    #expect(subject.refusals.taken() + faulty.refusals.taken() == [])
  }

  @Test("errors are due to the caller, except for those of the upstream, the store and regd itself")
  func dueToCaller() {
    let others = ErrorReason.all.filter { !$0.isDueToCaller }.map(\.name)
    let parts = others.filter { $0.hasPrefix("network.") || $0.hasPrefix("store.") }
    #expect(Set(parts) == Set((ErrorReason.ofNetwork + ErrorReason.ofStore).map(\.name)))
    #expect(
      Set(others).subtracting(parts) == ["request.cancelled", "request.timeout", "rpc.internal", "server.draining"])
  }

  @Test("a refused submission of a form is reported with the reason of its alert")
  func form() async {
    let subject = Subject()
    let talk = subject.talk()
    _ = await talk.call("form.open", #"{"kind":"signIn","origin":"a session"}"#)
    _ = await talk.call("form.set", "{\"form\":1,\(Self.wrong)}")
    _ = await talk.call("form.submit", "[1]")
    #expect(subject.refusals.taken() == ["form.submit credentials.rejected 0 a session"])
    // The form itself refuses the entry, without any work.
    _ = await talk.call("form.open", #"{"kind":"registration"}"#)
    _ = await talk.call("form.submit", "[2]")
    subject.reload(AdmissionTerms(mode: .closed))
    _ = await talk.call("form.submit", "[2]")
    #expect(
      subject.refusals.taken() == ["form.submit validation.failed 0 -", "form.submit registration.closed 0 -"])
  }
}
