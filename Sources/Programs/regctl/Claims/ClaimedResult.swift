internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

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
