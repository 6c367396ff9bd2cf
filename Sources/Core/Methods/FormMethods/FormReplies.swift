internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration

/// Writes forms as JSON: in results, and in the notifications `form.changed` and `form.event`.
enum FormReplies {

  private static func write(_ state: FormState, in language: Language, to writer: inout JSONWriter) {
    switch state {
    case .registration(let state):
      writer.object { writer in
        writer.member("email", state.email)
        writer.member("emailValid", state.emailValid)
        writer.member("passwordValid", state.passwordValid)
        writer.member("registrationEnabled", state.registrationEnabled)
        if !state.needs.isEmpty {
          writer.array("needs") { writer in for need in state.needs { writer.value(need.rawValue) } }
        }
        write(state.problems, state.errorMessage, in: language, to: &writer)
        writer.member("registered", state.registered)
        if let stamp = state.stamp { writer.member("stamp", stamp) }
        write(state.claim, to: &writer)
      }
    case .signIn(let state):
      writer.object { writer in
        writer.member("email", state.email)
        writer.member("signInEnabled", state.signInEnabled)
        write(state.problems, state.errorMessage, in: language, to: &writer)
        writer.member("signedIn", state.signedIn)
        if let stamp = state.stamp { writer.member("stamp", stamp) }
      }
    case .recovery(let state):
      writer.object { writer in
        writer.member("email", state.email)
        writer.member("recoveryEnabled", state.recoveryEnabled)
        write(state.problems, state.errorMessage, in: language, to: &writer)
        writer.member("recovered", state.recovered)
        if let stamp = state.stamp { writer.member("stamp", stamp) }
        write(state.claim, to: &writer)
      }
    }
  }

  private static func write(
    _ problems: [Problem], _ errorMessage: LocalizedMessage?, in language: Language, to writer: inout JSONWriter
  ) {
    writer.name("problems")
    ProblemList.write(problems, in: language, to: &writer)
    writer.name("errorMessage")
    if let errorMessage { writer.value(language.text(of: errorMessage)) } else { writer.null() }
  }

  /// Writes the claim whose mailed code the person has to type, if there is one.
  private static func write(_ claim: FormClaim?, to writer: inout JSONWriter) {
    guard let claim else { return }
    writer.name("claim")
    ClaimReply.write(claim, to: &writer)
  }

  /// Writes `{form, state}`.
  static func write(_ form: OpenForm, _ session: Session, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("form", form.number)
      writer.name("state")
      write(form.state, in: session.language(for: form.language), to: &writer)
    }
  }

  /// Writes `{state}`.
  static func writeState(of form: OpenForm, _ session: Session, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.name("state")
      write(form.state, in: session.language(for: form.language), to: &writer)
    }
  }

  /// Sends `form.changed` if the state differs from the one sent last. At most one such notification waits for each form, with
  /// the latest state.
  static func tellIfChanged(_ form: OpenForm, _ session: Session) {
    guard form.markTold() else { return }
    session.notify("form.changed", stateOf: form.number) { write(form, session, to: &$0) }
  }

  /// Sends `form.event` for the actions that a caller may see.
  static func tell(_ actions: [FormAction], of form: OpenForm, _ session: Session) {
    for action in actions {
      guard let event = event(action, in: session.language(for: form.language)) else { continue }
      session.notify("form.event") { writer in
        writer.object { writer in
          writer.member("form", form.number)
          writer.member("event", event.name)
          for (name, value) in event.members { writer.member(name, value) }
          if let left = event.attemptsLeft { writer.member("attemptsLeft", left) }
        }
      }
    }
  }

  private struct Event {
    let name: StaticString
    var members: [(StaticString, String)] = []
    var attemptsLeft: Int?
  }

  /// - Returns: The event, or nil for an action that regd does itself, which the caller does not see.
  private static func event(_ action: FormAction, in language: Language) -> Event? {
    switch action {
    case .activityStarted: Event(name: "activityStarted")
    case .activityEnded: Event(name: "activityEnded")
    case .alert(let alert):
      Event(
        name: "alert", members: [("reason", alert.reason.name), ("message", language.text(of: alert.sentence))],
        attemptsLeft: alert.attemptsLeft)
    case .navigate(let destination): Event(name: "navigate", members: [("to", destination.rawValue)])
    case .register, .signIn, .prove, .startRecovery, .finishRecovery: nil
    }
  }

  static func notFound(_ number: Int) -> RPCError {
    RPCError(.formNotFound, LocalizedMessage(FormMessageKey.notFound, ["form": .number(number)]), field: "form")
  }

  static let tooMuch = RPCError.busy(LocalizedMessage(ServerMessageKey.formsHeld), retryAfter: 1)

  static let tooMany = RPCError.busy(
    LocalizedMessage(ServerMessageKey.forms, ["limit": .number(OpenForms.capacity)]), retryAfter: 1,
    limit: OpenForms.capacity)
}

extension FormAlert.Reason {
  /// Stable names on the wire, which never change.
  var name: String {
    switch self {
    case .invalid: ErrorReason.validationFailed.name
    case .taken: ErrorReason.emailTaken.name
    case .closed: ErrorReason.registrationClosed.name
    case .code: ErrorReason.codeRejected.name
    case .refused(let reason): reason
    }
  }
}

/// The schemas of the forms' states, and of the notifications `form.changed` and `form.event`.
enum FormSchemas {
  static let number = Schema.Member("form", .integer("The form's number, valid for this connection."))
  static let opened = Schema.named("FormWithState", .object(number, .init("state", state)))
  static let stateResult = Schema.named("FormStateResult", .object(.init("state", state)))

  private static let state = Schema.named(
    "FormState", .oneOf([registration, signIn, recovery], "The state that a screen shows."))

  private static let registration = Schema.named(
    "RegistrationFormState",
    .object(
      [
        email, .init("emailValid", .boolean("")), .init("passwordValid", .boolean("")),
        .init("registrationEnabled", .boolean("Whether the button can be pressed.")),
        .init(
          "needs",
          .array(
            .choice(FormNeed.allCases.map(\.rawValue), ""),
            "The fields that are required in addition to address and password."),
          required: false),
      ] + faults + [.init("registered", .boolean("")), AccountReply.stamp(required: false), claim], ""))

  private static let signIn = Schema.named(
    "SignInFormState",
    .object(
      [email, .init("signInEnabled", .boolean("Whether the button can be pressed."))] + faults
        + [.init("signedIn", .boolean("")), AccountReply.stamp(required: false)], ""))

  private static let recovery = Schema.named(
    "RecoveryFormState",
    .object(
      [email, .init("recoveryEnabled", .boolean("Whether the button can be pressed."))] + faults
        + [.init("recovered", .boolean("")), AccountReply.stamp(required: false), claim], ""))

  private static let email = Schema.Member("email", .string("As typed so far."))
  private static let faults: [Schema.Member] = [
    .init("problems", ProblemList.schema),
    .init("errorMessage", .nullable(.string("A message for the end user, in the language of the call."))),
  ]
  private static let claim = Schema.Member("claim", ClaimReply.claim, required: false)

  // MARK: Notifications

  static let changed = TableDescription.Notification(
    "form.changed", "The state of a form has changed.", params: opened)

  static let event = TableDescription.Notification(
    "form.event", "Describes what to show while form.submit runs.",
    params: .named(
      "FormEvent",
      .object(
        number, .init("event", .choice(["activityStarted", "activityEnded", "alert", "navigate"], "")),
        .init("reason", ErrorData.reason, required: false),
        .init("message", .string("A message for the end user, in an alert."), required: false),
        .init(
          "attemptsLeft", .integer("How many wrong codes the claim still allows, after a wrong code."), required: false),
        .init(
          "to", .choice(FormDestination.allCases.map(\.rawValue), "The next screen, in navigate."), required: false))))
}
