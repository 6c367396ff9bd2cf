import AddressNormalization
import Registration
import Sentences
import StoreConformance
import TestDoubles
import Testing

/// The registration screen where not everybody may register.
@Suite("Forms of who may register")
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

  @Test("what is needed is said, entered or not; what was set stays until it is set again")
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

  @Test("a rejected invitation shuts the button until it or the address changes")
  func rejectedInvitation() {
    var form = filled(rules(.invited), invitation: "x")
    #expect(names(form.submit()) == ["activityStarted", "register new@example.com"])
    #expect(
      names(form.end(.invitationRejected(rejected))) == ["activityEnded", "alert refused(\"invitation.rejected\")"])
    #expect(!form.state.registrationEnabled && form.state.problems == [] && form.state.errorMessage == "No.")
    #expect(names(form.submit()) == ["alert refused(\"invitation.rejected\")"], "nothing is asked a second time")
    form.change(typed("NEW@example.com", invitation: "x"))
    #expect(!form.state.registrationEnabled && form.state.errorMessage == "No.")
    form.change(typed(invitation: "y"))
    #expect(form.state.registrationEnabled && form.state.errorMessage == nil)
    _ = form.submit()
    _ = form.end(.invitationRejected(rejected))
    form.change(typed("other@example.com"))
    #expect(form.state.registrationEnabled && form.state.errorMessage == nil)
  }

  @Test("an invitation that was typed while another was rejected is not shut out")
  func typedMeanwhile() {
    var form = filled(rules(.invited), invitation: "x")
    _ = form.submit()
    form.change(typed(invitation: "y"))
    _ = form.end(.invitationRejected(rejected))
    #expect(form.state.registrationEnabled)
    form.change(typed(invitation: "x"))
    #expect(form.state.registrationEnabled)
  }

  @Test("without an invitation the button is not shut, in an open house")
  func open() {
    var form = filled(rules(.open), invitation: "x")
    _ = form.submit()
    _ = form.end(.invitationRejected(rejected))
    #expect(!form.state.registrationEnabled)
    form.change(typed(invitation: ""))
    #expect(form.state.registrationEnabled)
  }

  @Test("while nobody may register a press is an alert alone, whatever is entered, behind a claim too")
  func closed() {
    var empty = RegistrationForm(rules: rules(.closed))
    #expect(names(empty.submit()) == ["alert closed"])
    var form = filled(rules(.closed))
    #expect(form.state.problems == [] && !form.state.registrationEnabled)
    #expect(names(form.submit()) == ["alert closed"])
    #expect(!form.isBusy && form.state.errorMessage == Sentence(RegistrationSentence.closed))
    // a reload opens the house
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

  @Test("behind the code's screen another invitation or other terms lead back to the entry; the same do not")
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

  @Test("an invitation is forgotten once it is used")
  func forgotten() {
    var form = filled(rules(.invited), invitation: "x")
    _ = form.submit()
    _ = form.end(.welcome(stamp: nil))
    form.change(typed("next@example.com"))
    #expect(form.state.problems.map(\.reason) == [.passwordMissing, .confirmationMissing, .invitationMissing])
  }
}
