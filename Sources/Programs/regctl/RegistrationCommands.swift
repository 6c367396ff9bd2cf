internal import ArgumentParser
internal import RegdClient
internal import Sentences

struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: .said(RegisteringHelp.validate))

  @Argument(help: .said(CommonHelp.email)) var email: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: true)
    let entry = RegdClient.entry(email: email, password: typed.password, confirmation: typed.confirmation)
    try connection.call("registration.validate", entry) { result in
      for problem in result["problems"]?.array ?? [] { connection.say(line: ConnectionOptions.describe(problem)) }
      guard result["registrationEnabled"]?.bool == true else { throw Refusal(message: nil) }
      connection.say(ResultSentence.valid)
    }
  }
}

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: .said(RegisteringHelp.check))

  @Argument(help: .said(CommonHelp.email)) var email: String
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.call("registration.checkEmail", ["email": .string(email)]) { result in
      guard result["available"]?.bool == true else {
        connection.say(ResultSentence.notAvailable, ["email": .text(email)])
        throw Refusal(message: nil)
      }
      connection.say(ResultSentence.available, ["email": .text(email)])
    }
  }
}

struct Register: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register", abstract: .said(RegisteringHelp.register),
    discussion: .said(RegisteringHelp.registerMore))

  @Argument(help: .said(CommonHelp.email)) var email: String
  @Option(help: .said(RegisteringHelp.requestId))
  var requestId: String?
  @Option(help: .said(RegisteringHelp.codeOfClaim)) var code: String?
  @OptionGroup var proof: ProofOptions
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard code == nil || requestId != nil else {
      throw ValidationError(UsageSentence.codeNeedsRequestId)
    }
    guard code == nil || !proof.noWait else { throw ValidationError(UsageSentence.noWaitForCode) }
  }

  func run() throws {
    let typed = try password.read(confirm: true)
    var entry = RegdClient.entry(email: email, password: typed.password, confirmation: typed.confirmation)
    if let requestId, case .object(let members) = entry {
      entry = .object(members + [.init("requestId", .string(requestId))])
    }
    let result = try connection.result(of: "registration.register", proof.adding(entry))
    try ClaimedResult(result, connection, proof).prove(code: code) { Self.line(of: $0, email) }
  }

  /// Describes what was done, from regd's last result.
  private static func line(of result: JSONValue, _ email: String) -> Sentence {
    let isPending = result["account"]?["state"]?.string == "pending"
    return Sentence(
      isPending ? ResultSentence.accepted : .registered,
      ["email": .text(email), "id": .text(result.shown("account", "id"))])
  }
}

struct SignIn: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: .said(RegisteringHelp.signIn))

  @Argument(help: .said(CommonHelp.email)) var email: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    try connection.call("session.signIn", ["email": .string(email), "password": .string(typed.password)]) { result in
      connection.say(
        ResultSentence.signedIn, ["email": .text(email), "id": .text(result.shown("account", "id"))])
    }
  }
}
