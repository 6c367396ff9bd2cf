internal import JSONRPC
internal import Reasons
internal import Registration
internal import WireProtocols

/// The parts of `rpc.discover` that no method's declaration has: examples, notifications, the data of errors.
enum RegdDescription {
  static var all: TableDescription {
    var description = TableDescription()
    description.examples = Examples.all
    description.notifications = [FormSchemas.changed, FormSchemas.event, EventReplies.happened]
    description.data = ErrorData.schema
    return description
  }
}

extension EventReplies {
  static let happened = TableDescription.Notification(
    "events.happened", "Reports an event to the connections that called events.subscribe.",
    access: .observe,
    params: .named(
      "Event",
      .object(
        [
          .init("sequence", .integer("Counts from 1 at each start of regd.")),
          .init("event", .named("EventName", .choice(EventName.all, ""))), .init("time", .time()),
          .init(
            "entry", .integer("The number of the entry in the audit; absent if the audit does not record the event."),
            required: false),
        ] + members + [
          .init("id", .uuid("The UUID of the mail, in events about a mail."), required: false),
          .init("to", .email("The recipient of the mail."), required: false),
          .init("kind", MailMethods.kind, required: false),
          .init("from", .string("The sender of a mail that the subscriber should send."), required: false),
          .init("fromName", .string("The name beside the sender; absent if there is none."), required: false),
          .init("subject", .string(""), required: false), .init("body", .string(""), required: false),
          .init("language", .string(""), required: false),
          .init("message", .string("A message for operators, in English."), required: false),
          .init("missed", .integer("How many events this subscriber missed."), required: false),
        ], "")))
}

/// The schemas of the member `data` of errors.
enum ErrorData {
  static let reason = Schema.named(
    "Reason",
    .choice(
      (ErrorReason.ofProtocol + ErrorReason.ofApplication).map(\.name),
      "The stable name of the error, on which programs can branch."))

  static func schema(for reason: ErrorReason) -> Schema {
    switch reason {
    case .validationFailed:
      .named("ValidationErrorData", .object(members + [.init("problems", ProblemList.schema)], ""))
    case .configurationRefused: .named("ConfigurationErrorData", .object(members + [configurationProblems], ""))
    case .codeRejected: .named("CodeErrorData", .object(members + [attemptsLeft], ""))
    default: .named("ErrorData", .object(members, ""))
    }
  }

  private static let members: [Schema.Member] = [
    .init("reason", reason),
    .init("retryable", .boolean("Whether the same request may succeed later, unchanged.")),
    .init("retryAfter", .integer("How many seconds to wait before a repeat; absent if unknown."), required: false),
    .init("field", .string("The parameter that is wrong."), required: false),
    .init("limit", .integer("The limit that was exceeded."), required: false),
    .init(
      "pending",
      .boolean("True if the registration may have taken effect; regd or a repeat of the request will find out."),
      required: false),
  ]

  private static let attemptsLeft = Schema.Member(
    "attemptsLeft", .integer("How many wrong codes the claim still allows."))

  private static let configurationProblems = Schema.Member(
    "problems",
    .array(
      .named(
        "ConfigurationProblem",
        .object(
          .init("place", .string("A file and a line, a variable, an argument, a credential, or \"default value\".")),
          .init("key", .string(""), required: false), .init("message", .string("A message in English.")))), ""))
}
