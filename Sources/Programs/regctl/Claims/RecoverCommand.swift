internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl recover`: sets a new password for an owner who has forgotten the old one.
struct Recover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: .said(OwnerHelp.recover),
    discussion: .said(OwnerHelp.recoverMore))

  @Argument(help: .said(CommonHelp.accountEmail)) var email: String?
  @Option(help: .said(OwnerHelp.recoverClaim, valueName: "id")) var claim: String?
  @Option(help: .said(CommonHelp.code)) var code: String?
  @OptionGroup var proof: ProofOptions
  @Flag(help: .said(OwnerHelp.recoverPassword)) var passwordStdin = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (email == nil) != (claim == nil) else {
      throw ValidationError(UsageMessageKey.recoverWhat)
    }
    guard code == nil || claim != nil else {
      throw ValidationError(UsageMessageKey.codeNeedsClaim)
    }
    guard claim == nil || !proof.noWait && proof.language == nil else {
      throw ValidationError(UsageMessageKey.recoveryThatBegins)
    }
  }

  func run() throws {
    guard let id = try claim ?? begin() else { return }
    let dialogue = CodeDialogue(claim: id, later: "regctl recover --claim \(id)", connection: connection)
    let source = PasswordSource(isStandardInput: passwordStdin)
    var typed: (password: String, confirmation: String)?
    let result = try dialogue.run(code) { code in
      while true {
        let new = try typed ?? Self.read(source)
        // after a wrong code, the user types the code again but not the password
        typed = new
        let answer = try connection.answer(
          to: "recovery.finish",
          [
            "claim": .string(id), "code": .string(code), "password": .string(new.password),
            "passwordConfirmation": .string(new.confirmation),
          ])
        guard !passwordStdin, case .failure(let error) = answer, error.reason == "validation.failed" else {
          return answer
        }
        Terminal.tell(text: ConnectionOptions.describe(error))
        typed = nil
      }
    }
    if connection.json { Terminal.print(result.text) }
    connection.say(ResultMessageKey.passwordSet, ["account": .text(result.shown("account", "email"))])
  }

  private static func read(_ source: PasswordSource) throws -> (password: String, confirmation: String) {
    let password = try source.read(.new)
    return (password, try source.readAgain(.new, password))
  }

  /// Asks regd to mail a code.
  ///
  /// - Returns: The claim's id, or nil with `--no-wait`, after which nothing is left to do.
  private func begin() throws -> String? {
    let email = email ?? ""
    let result = try connection.result(of: "recovery.start", proof.adding(["email": .string(email)]))
    guard let claim = Claim(result) else { throw RegdClientFailure.notAReply(result.text) }
    guard !proof.noWait else {
      if connection.json { Terminal.print(result.text) }
      connection.say(
        ResultMessageKey.claim,
        [
          "claim": .text(claim.id), "time": .text(claim.expiresAt),
          "command": "regctl recover --claim \(claim.id)",
        ])
      return nil
    }
    Terminal.tell(PromptMessageKey.codeIfAccount, ["email": .text(email)])
    Terminal.tell(
      PromptMessageKey.goesOnLater,
      ["command": "regctl recover --claim \(claim.id)", "time": .text(claim.expiresAt)])
    return claim.id
  }
}
