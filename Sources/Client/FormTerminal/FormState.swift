package import RegdClient

/// The state of a form, as regd reports it.
package struct FormState: Equatable, Sendable {
  package struct Problem: Equatable, Sendable {
    package let field: String
    package let message: String

    package init(field: String, message: String) {
      self.field = field
      self.message = message
    }
  }

  /// A begun registration or recovery of an account, which the user confirms with the mailed code.
  package struct Claim: Equatable, Sendable {
    package let id: String
    package let email: String

    package init(id: String, email: String) {
      self.id = id
      self.email = email
    }
  }

  package var email: String
  /// Whether the submit button can be pressed.
  package var isEnabled: Bool
  package var problems: [Problem]
  package var errorMessage: String?
  /// The claim, or nil while the form asks for the entry.
  package var claim: Claim?
  /// The additional fields that the operator's configuration requires, in regd's order.
  package var needs: [FormKind.Field]

  package init(
    email: String, isEnabled: Bool, problems: [Problem], errorMessage: String?, claim: Claim? = nil,
    needs: [FormKind.Field] = []
  ) {
    self.needs = needs
    self.email = email
    self.isEnabled = isEnabled
    self.problems = problems
    self.errorMessage = errorMessage
    self.claim = claim
  }

  /// Reads the state in a reply or notification. Returns nil if a member is missing or has another type.
  package init?(_ state: JSONValue?, _ kind: FormKind) {
    guard let state, let email = state["email"]?.string, let isEnabled = state[kind.enabledMember]?.bool,
      let problems = state["problems"]?.array
    else { return nil }
    self.init(
      email: email, isEnabled: isEnabled,
      problems: problems.map { Problem(field: $0["field"]?.string ?? "", message: $0["message"]?.string ?? "") },
      errorMessage: state["errorMessage"]?.string,
      claim: state["claim"].flatMap { claim in
        guard let id = claim["id"]?.string, let email = claim["email"]?.string else { return nil }
        return Claim(id: id, email: email)
      },
      needs: (state["needs"]?.array ?? []).compactMap { need in
        FormKind.Field.asked.first { $0.rawValue == need.string }
      })
  }
}

/// A notification about a form (`form.changed`, `form.event`).
package enum FormEvent: Equatable, Sendable {
  case changed(FormState)
  case activityStarted
  case activityEnded
  case alert(String)
  /// The form shows another screen, which the state names.
  case goOn
  /// The form has succeeded.
  case welcome

  /// Reads a notification. Returns nil if it is of another kind.
  package init?(_ method: String, _ params: JSONValue?, _ kind: FormKind) {
    switch (method, params?["event"]?.string) {
    case ("form.changed", _):
      guard let state = FormState(params?["state"], kind) else { return nil }
      self = .changed(state)
    case ("form.event", "activityStarted"): self = .activityStarted
    case ("form.event", "activityEnded"): self = .activityEnded
    case ("form.event", "alert"): self = .alert(params?["message"]?.string ?? "")
    case ("form.event", "navigate"): self = params?["to"]?.string == "welcome" ? .welcome : .goOn
    default: return nil
    }
  }
}
