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

/// Options of commands whose request may become a claim: whether to wait for the mailed code, and the mail's language.
struct ProofOptions: ParsableArguments {
  @Flag(help: .said(CommonHelp.noWait))
  var noWait = false

  @Option(help: .said(CommonHelp.mailLanguage)) var language: String?

  /// Adds the language, if one is given, to the params.
  func adding(_ params: JSONValue) -> JSONValue {
    params.adding("language", language.map(JSONValue.string))
  }
}

/// A claim as regd sends it to its caller.
struct Claim {
  let id: String
  let email: String
  let expiresAt: String

  /// Reads the claim in a result. Returns nil if the result contains no claim, because regd has done the request at once.
  init?(_ result: JSONValue) {
    guard let claim = result["claim"] else { return nil }
    (id, email, expiresAt) = (claim.shown("id"), claim.shown("email"), claim.time("expiresAt"))
  }
}

/// regd's reply to a request: its result, or a claim if a mailed code must prove an address first.
struct ClaimedResult {
  private let result: JSONValue
  private let connection: ConnectionOptions
  private let proof: ProofOptions

  init(_ result: JSONValue, _ connection: ConnectionOptions, _ proof: ProofOptions) {
    (self.result, self.connection, self.proof) = (result, connection, proof)
  }

  /// Prints the result. If the result is a claim, proves it first, unless `--no-wait` was given.
  ///
  /// - Parameters:
  ///   - code: A code from the command line, or nil to ask for it.
  ///   - line: Makes a message for the user about the final result.
  /// - Throws: `RegdError`, `Refusal` or `RegdClientFailure` if the claim is not proven.
  func prove(code: String? = nil, _ line: (JSONValue) -> LocalizedMessage) throws {
    guard let claim = Claim(result) else { return show(result, line(result)) }
    guard !proof.noWait else {
      return show(
        result,
        LocalizedMessage(
          ResultMessageKey.claimOf,
          [
            "claim": .text(claim.id), "email": .text(claim.email), "time": .text(claim.expiresAt),
            "command": "regctl claim prove \(claim.id)",
          ]))
    }
    let later = "regctl claim prove \(claim.id)"
    if code == nil {
      Terminal.tell(PromptMessageKey.codeOnItsWay, ["email": .text(claim.email)])
      Terminal.tell(PromptMessageKey.goesOnLater, ["command": .text(later), "time": .text(claim.expiresAt)])
    }
    let dialogue = CodeDialogue(claim: claim.id, later: later, connection: connection)
    let proven = try dialogue.run(code) { code in
      try connection.answer(to: "claim.prove", ["claim": .string(claim.id), "code": .string(code)])
    }
    show(proven, line(proven))
  }

  private func show(_ result: JSONValue, _ line: LocalizedMessage) {
    if connection.json { Terminal.print(result.text) }
    connection.say(line)
  }
}
