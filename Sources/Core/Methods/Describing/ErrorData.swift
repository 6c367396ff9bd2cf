internal import JSONRPC
internal import Reasons

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
