internal import JSONRPC
internal import Registration

/// The schemas of forms: their states, and what a caller is told of them.
enum FormSchemas {
  static let number = Schema.Member("form", .integer("Its number, for this connection."))
  static let opened = Schema.named("FormWithState", .object(number, .init("state", state)))
  static let stateResult = Schema.named("FormStateResult", .object(.init("state", state)))

  /// The state that a screen shows.
  private static let state = Schema.named(
    "FormState", .oneOf([registration, signIn, recovery], "The state that a screen shows."))

  private static let registration = Schema.named(
    "RegistrationFormState",
    .object(
      [
        email, .init("emailValid", .boolean("")), .init("passwordValid", .boolean("")),
        .init("registrationEnabled", .boolean("Whether the button can be pressed.")),
        .init(
          "needs", .array(.choice(FormNeed.allCases.map(\.rawValue), ""), "Besides an address and a password."),
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

  private static let email = Schema.Member("email", .string("As it was typed so far."))
  private static let faults: [Schema.Member] = [
    .init("problems", ProblemList.schema), .init("errorMessage", .nullable(.string("A sentence for a person."))),
  ]
  private static let claim = Schema.Member("claim", ClaimReply.claim, required: false)

  // MARK: Notifications

  static let changed = TableDescription.Notification(
    "form.changed", "A form has another state.", params: opened)

  static let event = TableDescription.Notification(
    "form.event", "Tells during form.submit what to show.",
    params: .named(
      "FormEvent",
      .object(
        number, .init("event", .choice(["activityStarted", "activityEnded", "alert", "navigate"], "")),
        .init("reason", ErrorData.reason, required: false),
        .init("message", .string("A sentence for a person; of an alert, as the reason."), required: false),
        .init("attemptsLeft", .integer("Behind a wrong code."), required: false),
        .init("to", .choice(FormDestination.allCases.map(\.rawValue), "Of navigate."), required: false))))
}
