internal import ArgumentParser
internal import RegdClient

/// Ends a command with exit status 1, as `RegdError` does: a check failed, or regctl or regd has refused.
struct Refusal: Error {
  /// The text for standard error, or nil if standard output has it already.
  let message: String?
  /// The error as regd sent it, or nil if regctl itself refuses.
  var source: JSONValue?
}

/// A command's failure: its exit status, and its text for standard error.
struct CommandFailure {
  let status: Int32
  private let reason: String
  private let message: String?
  private let source: JSONValue?

  init(_ error: any Error) {
    switch error {
    case let refusal as Refusal:
      (status, reason, message, source) = (1, "refused", refusal.message, refusal.source)
    case let error as RegdError:
      (status, reason, message, source) = (1, "refused", ConnectionOptions.describe(error), error.source)
    case let failure as RegdClientFailure:
      (status, reason) = Self.kind(of: failure)
      (message, source) = (Speech.text(failure.sentence), nil)
    default:
      (status, reason, source) = (2, "usage", nil)
      message = Self.usage(error)
    }
  }

  /// The message for a wrong command line.
  private static func usage(_ error: any Error) -> String {
    if Terminal.wantsJSON {
      let message = Regctl.message(for: error)
      return LibraryWords.message(message).map(Speech.text) ?? message
    }
    return Speech.isEnglish ? HelpText().english(Regctl.fullMessage(for: error)) : HelpText().usage(for: error)
  }

  private static func kind(of failure: RegdClientFailure) -> (Int32, String) {
    switch failure {
    case .timedOut: (4, "timedOut")
    case .cannotConnect: (3, "cannotConnect")
    case .disconnected: (3, "disconnected")
    case .notAReply: (3, "notAReply")
    }
  }

  /// Writes the failure to standard error. With `--json`, writes an object: regd's error if regd refused, otherwise
  /// regctl's own.
  func report() {
    guard Terminal.wantsJSON else { return Terminal.report(text: message) }
    if let source { return Terminal.report(source) }
    guard let message else { return }
    Terminal.report(Self.json(code: status, reason, message))
  }

  /// An object in the form of regd's errors. Its code is the exit status, which is not one of regd's codes. It is 0
  /// for a warning.
  static func json(code: Int32, _ reason: String, _ message: String) -> JSONValue {
    [
      "code": .number("\(code)"), "message": .string(message),
      "data": ["reason": .string(reason), "retryable": .bool(["timedOut", "cannotConnect"].contains(reason))],
    ]
  }
}
