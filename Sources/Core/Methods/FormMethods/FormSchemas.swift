internal import JSONRPC
internal import Registration

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
