internal import ArgumentParser
internal import RegdClient

/// `regctl recover`: another password for somebody who has forgotten theirs.
struct Recover: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sets another password with a code that is mailed to the account's address.",
    discussion: """
      Whether there is such an account is not said: without one, no mail comes. A script begins with --no-wait, which \
      prints the claim, and finishes with --claim, --code and --password-stdin.
      """)

  @Argument(help: "The account's e-mail address.") var email: String?
  @Option(help: "Go on with a recovery that was begun, in the place of the address.") var claim: String?
  @Option(help: "The code; without it, it is asked for.") var code: String?
  @OptionGroup var proof: ProofOptions
  @Flag(help: "Read the new password from the first line of standard input.") var passwordStdin = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (email == nil) != (claim == nil) else {
      throw ValidationError("recover takes the account's address, or --claim with the claim of a recovery.")
    }
    guard code == nil || claim != nil else {
      throw ValidationError("--code needs --claim: a recovery that begins now has another code.")
    }
    guard claim == nil || !proof.noWait && proof.language == nil else {
      throw ValidationError("--no-wait and --language are for a recovery that begins; --claim goes on with one.")
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
        // a code that is wrong is typed again, the password is not
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
        Terminal.tell(ConnectionOptions.describe(error))
        typed = nil
      }
    }
    if connection.json { print(result.text) }
    connection.say("set the password of \(result["account"]?["email"]?.string ?? "?")")
  }

  private static func read(_ source: PasswordSource) throws -> (password: String, confirmation: String) {
    let password = try source.read("New password")
    return (password, try source.readAgain("New password", password))
  }

  /// Asks for the code to be mailed.
  ///
  /// - Returns: The claim's id; nil where nothing more is to be done.
  private func begin() throws -> String? {
    let email = email ?? ""
    let result = try connection.result(of: "recovery.start", proof.adding(["email": .string(email)]))
    guard let claim = Claim(result) else { throw RegdClientFailure.notAReply(result.text) }
    guard !proof.noWait else {
      if connection.json { print(result.text) }
      connection.say("claim \(claim.id), until \(claim.expiresAt): regctl recover --claim \(claim.id)")
      return nil
    }
    Terminal.tell("If \(email) has an account, a code is on its way to it.")
    Terminal.tell("`regctl recover --claim \(claim.id)` goes on later, until \(claim.expiresAt).")
    return claim.id
  }
}
