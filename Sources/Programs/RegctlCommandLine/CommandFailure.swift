package import ArgumentParser
package import Localization
package import RegdClient
internal import UserMessages

/// Ends a command with exit status 1, as `RegdError` does: a check failed, or regctl or regd has refused.
package struct Refusal: Error {
  /// The text for standard error, or nil if standard output has it already.
  package let message: String?
  /// The error as regd sent it, or nil if regctl itself refuses.
  package let source: JSONValue?

  package init(message: String?, source: JSONValue? = nil) { (self.message, self.source) = (message, source) }
}

/// Ends a command with exit status 5: it could not verify what it was asked to verify.
package struct Unverified: Error {
  let sentence: LocalizedMessage

  package init(_ sentence: LocalizedMessage) { self.sentence = sentence }
}

/// A command's failure: its exit status, and its text for standard error.
package struct CommandFailure {
  package let status: Int32
  private let reason: String
  private let message: String?
  private let source: JSONValue?

  /// - Parameter root: The command that the command line was parsed as.
  package init(_ error: any Error, of root: any ParsableCommand.Type) {
    switch error {
    case let refusal as Refusal:
      (status, reason, message, source) = (1, "refused", refusal.message, refusal.source)
    case let error as RegdError:
      (status, reason, message, source) = (1, "refused", ConnectionOptions.describe(error), error.source)
    case let unverified as Unverified:
      (status, reason, message, source) = (5, "notVerified", Speech.text(unverified.sentence), nil)
    case let failure as RegdClientFailure:
      (status, reason) = Self.kind(of: failure)
      (message, source) = (Speech.text(failure.sentence), nil)
    default:
      (status, reason, source) = (2, "usage", nil)
      message = Self.usage(error, root)
    }
  }

  /// The message for a wrong command line.
  private static func usage(_ error: any Error, _ root: any ParsableCommand.Type) -> String {
    if Terminal.wantsJSON {
      let message = root.message(for: error)
      return LibraryWords.message(message).map { Speech.text($0) } ?? message
    }
    return Speech.isEnglish
      ? HelpText().english(root.fullMessage(for: error)) : HelpText().usage(for: error, of: root)
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
  package func report() {
    if Terminal.wantsJSON, let source { return Terminal.report(source) }
    if let message { Terminal.report(code: status, reason, message) }
  }
}
