import AddressNormalization
import Localization
import Registration
import StoreConformance
import TestDoubles
import Testing

/// The registration screen in modes that restrict who may register.
@Suite("Registration forms with restricted admission")
struct AdmissionFormTests {
  private let rejected = FormAlert(reason: .refused("invitation.rejected"), sentence: "No.")

  private func rules(_ mode: AdmissionTerms.Mode, terms version: String = "") -> RegistrationRules {
    RegistrationRules(
      email: EmailRules(normalizer: UnicodeNormalizer()), password: PasswordPolicy(normalizer: UnicodeNormalizer()),
      mode: mode, terms: TermsOfUse(version: version, url: ""))
  }

  private func names(_ actions: [FormAction]) -> [String] { actions.map(\.name) }

  private func typed(
    _ email: String? = nil, invitation: String? = nil, terms: String? = nil
  ) -> RegistrationEntry {
    RegistrationEntry(email: email, invitation: invitation, terms: terms)
  }

  private func filled(_ rules: RegistrationRules, invitation: String? = nil) -> RegistrationForm {
    var form = RegistrationForm(rules: rules)
    form.change(
      RegistrationEntry(
        email: "new@example.com", password: Fixtures.password("a fine phrase"),
        passwordConfirmation: Fixtures.password("a fine phrase"), invitation: invitation))
    return form
  }

  @Test("the form reports the needed fields, filled or not, and a value stays until it is set again")
  func needs() {
    #expect(filled(rules(.open)).state.needs == [])
    #expect(filled(rules(.closed)).state.needs == [])
    var form = filled(rules(.invited, terms: "2"))
    #expect(form.state.needs == [.invitation, .terms])
    #expect(
      form.state.problems.map(\.reason) == [.invitationMissing, .termsMissing] && !form.state.registrationEnabled)
    #expect(names(form.submit()) == ["alert invalid"])
    form.change(typed(invitation: "x", terms: "1"))
    #expect(form.state.problems.map(\.reason) == [.termsOutdated])
    form.change(typed(terms: "2"))
    #expect(form.state.registrationEnabled && form.state.needs == [.invitation, .terms])
    form.change(typed(invitation: ""))
    #expect(form.state.problems.map(\.reason) == [.invitationMissing])
  }

  @Test("a rejected invitation disables the button until the invitation or the address changes")
  func rejectedInvitation() {
    var form = filled(rules(.invited), invitation: "x")
    #expect(names(form.submit()) == ["activityStarted", "register new@example.com"])
    #expect(
      names(form.end(.invitationRejected(rejected))) == ["activityEnded", "alert refused(\"invitation.rejected\")"])
    #expect(!form.state.registrationEnabled && form.state.problems == [] && form.state.errorMessage == "No.")
    #expect(names(form.submit()) == ["alert refused(\"invitation.rejected\")"], "no second request is sent")
    form.change(typed("NEW@example.com", invitation: "x"))
    #expect(!form.state.registrationEnabled && form.state.errorMessage == "No.")
    form.change(typed(invitation: "y"))
    #expect(form.state.registrationEnabled && form.state.errorMessage == nil)
    _ = form.submit()
    _ = form.end(.invitationRejected(rejected))
    form.change(typed("other@example.com"))
    #expect(form.state.registrationEnabled && form.state.errorMessage == nil)
  }

  @Test("an invitation that was typed while another one was rejected does not disable the button")
  func typedMeanwhile() {
    var form = filled(rules(.invited), invitation: "x")
    _ = form.submit()
    form.change(typed(invitation: "y"))
    _ = form.end(.invitationRejected(rejected))
    #expect(form.state.registrationEnabled)
    form.change(typed(invitation: "x"))
    #expect(form.state.registrationEnabled)
  }

  @Test("in open mode, the removal of a rejected invitation enables the button again")
  func open() {
    var form = filled(rules(.open), invitation: "x")
    _ = form.submit()
    _ = form.end(.invitationRejected(rejected))
    #expect(!form.state.registrationEnabled)
    form.change(typed(invitation: ""))
    #expect(form.state.registrationEnabled)
  }

  @Test("in closed mode, a press of the button only shows an alert, whatever is entered, also on the code screen")
  func closed() {
    var empty = RegistrationForm(rules: rules(.closed))
    #expect(names(empty.submit()) == ["alert closed"])
    var form = filled(rules(.closed))
    #expect(form.state.problems == [] && !form.state.registrationEnabled)
    #expect(names(form.submit()) == ["alert closed"])
    #expect(!form.isBusy && form.state.errorMessage == LocalizedMessage(RegistrationMessageKey.closed))
    // a reload opens registration
    form.rules = rules(.open)
    #expect(form.state.registrationEnabled)
    _ = form.submit()
    let claim = FormClaim(ClaimScene.claim(.registration, "new@example.com"))
    _ = form.end(.claimed(claim))
    form.change(RegistrationEntry(), code: "123456")
    #expect(form.state.registrationEnabled)
    form.rules = rules(.closed)
    #expect(names(form.submit()) == ["alert closed"] && form.state.claim == claim && !form.state.registrationEnabled)
  }

  @Test("on the code screen, another invitation leads back to the entry; the same invitation and terms do not")
  func back() {
    var form = filled(rules(.invited, terms: "1"), invitation: "x")
    form.change(typed(terms: "1"))
    _ = form.submit()
    let claim = FormClaim(ClaimScene.claim(.registration, "new@example.com"))
    _ = form.end(.claimed(claim))
    form.change(typed(invitation: "x", terms: "1"))
    #expect(form.state.claim == claim)
    form.change(typed(invitation: "y"))
    #expect(form.state.claim == nil)
  }

  @Test("the form forgets an invitation once it is used")
  func forgotten() {
    var form = filled(rules(.invited), invitation: "x")
    _ = form.submit()
    _ = form.end(.welcome(stamp: nil))
    form.change(typed("next@example.com"))
    #expect(form.state.problems.map(\.reason) == [.passwordMissing, .confirmationMissing, .invitationMissing])
  }
}
