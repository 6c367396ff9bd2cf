internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// Asks for a claim's code until the code is right, or the claim has ended. Messages go to the terminal, so that
/// standard output has only the result.
struct CodeDialogue {
  let claim: String
  /// The command by which the user can continue with the claim later.
  let later: String
  let connection: ConnectionOptions

  /// - Parameters:
  ///   - given: A code from the command line. It is tried once, and the user is not asked.
  ///   - attempt: Tries a code.
  /// - Returns: The result of the accepted attempt.
  /// - Throws: `RegdError` if the claim has ended, `Refusal` if no code was typed, or `RegdClientFailure`.
  func run(_ given: String? = nil, attempt: (String) throws -> Result<JSONValue, RegdError>) throws -> JSONValue {
    if let given { return try attempt(given).get() }
    while true {
      switch Terminal.prompt(Speech.text(PromptMessageKey.code)) {
      case nil: throw Refusal(PromptMessageKey.noTerminalForCode, ["command": .text(later)])
      case .end:
        Terminal.tell(text: "")
        throw Refusal(PromptMessageKey.noCode, ["command": .text(later)])
      case .unreadable: Terminal.tell(PromptMessageKey.notUTF8)
      case .line(""), .line("r"): try resend()
      case .line(let code):
        switch try attempt(code) {
        case .success(let result): return result
        case .failure(let error):
          guard Self.isWorthAnotherTry(error) else { throw error }
          Terminal.tell(text: ConnectionOptions.describe(error))
        }
      }
    }
  }

  private func resend() throws {
    switch try connection.answer(to: "claim.resend", ["claim": .string(claim)]) {
    case .success: Terminal.tell(PromptMessageKey.codeAgain)
    case .failure(let error):
      guard Self.isWorthAnotherTry(error) else { throw error }
      Terminal.tell(text: ConnectionOptions.describe(error))
    }
  }

  /// Whether the claim can still be proven after this error.
  private static func isWorthAnotherTry(_ error: RegdError) -> Bool {
    if error.reason == "code.rejected" { return error.data["attemptsLeft"]?.integer != 0 }
    return error.data["retryable"]?.bool == true
  }
}
