package import RegdClient

/// What regd wants shown of a form.
package struct FormState: Equatable, Sendable {
  package struct Problem: Equatable, Sendable {
    package let field: String
    package let message: String

    package init(field: String, message: String) {
      self.field = field
      self.message = message
    }
  }

  package var email: String
  /// Whether the button may be pressed.
  package var isEnabled: Bool
  package var problems: [Problem]
  package var errorMessage: String?

  package init(email: String, isEnabled: Bool, problems: [Problem], errorMessage: String?) {
    self.email = email
    self.isEnabled = isEnabled
    self.problems = problems
    self.errorMessage = errorMessage
  }

  /// Reads a state; nil where it is none.
  package init?(_ state: JSONValue?, _ kind: FormKind) {
    guard let state, let email = state["email"]?.string, let isEnabled = state[kind.enabledMember]?.bool,
      let problems = state["problems"]?.array
    else { return nil }
    self.init(
      email: email, isEnabled: isEnabled,
      problems: problems.map { Problem(field: $0["field"]?.string ?? "", message: $0["message"]?.string ?? "") },
      errorMessage: state["errorMessage"]?.string)
  }
}

/// What regd tells of a form (`form.changed`, `form.event`).
package enum FormEvent: Equatable, Sendable {
  case changed(FormState)
  case activityStarted
  case activityEnded
  case alert(String)
  case navigate

  /// Reads a notification; nil where it is about something else.
  package init?(_ method: String, _ params: JSONValue?, _ kind: FormKind) {
    switch (method, params?["event"]?.string) {
    case ("form.changed", _):
      guard let state = FormState(params?["state"], kind) else { return nil }
      self = .changed(state)
    case ("form.event", "activityStarted"): self = .activityStarted
    case ("form.event", "activityEnded"): self = .activityEnded
    case ("form.event", "alert"): self = .alert(params?["message"]?.string ?? "")
    case ("form.event", "navigate"): self = .navigate
    default: return nil
    }
  }
}
