internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: .said(RegisteringHelp.validate))

  @Argument(help: .said(CommonHelp.email)) var email: String
  @OptionGroup var admission: AdmissionOptions
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: true)
    let entry = RegdClient.entry(email: email, password: typed.password, confirmation: typed.confirmation)
    try connection.call("registration.validate", admission.adding(entry)) { result in
      for problem in result["problems"]?.array ?? [] { connection.say(line: ConnectionOptions.describe(problem)) }
      guard result["registrationEnabled"]?.bool == true else { throw Refusal(message: nil) }
      connection.say(ResultMessageKey.valid)
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
        connection.say(ResultMessageKey.notAvailable, ["email": .text(email)])
        throw Refusal(message: nil)
      }
      connection.say(ResultMessageKey.available, ["email": .text(email)])
    }
  }
}

struct Register: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register", abstract: .said(RegisteringHelp.register),
    discussion: .said(RegisteringHelp.registerMore))

  @Argument(help: .said(CommonHelp.email)) var email: String
  @Option(help: .said(RegisteringHelp.requestId, valueName: "name"))
  var requestId: String?
  @Option(help: .said(RegisteringHelp.codeOfClaim)) var code: String?
  @OptionGroup var admission: AdmissionOptions
  @OptionGroup var proof: ProofOptions
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard code == nil || requestId != nil else {
      throw ValidationError(UsageMessageKey.codeNeedsRequestId)
    }
    guard code == nil || !proof.noWait else { throw ValidationError(UsageMessageKey.noWaitForCode) }
  }

  func run() throws {
    let typed = try password.read(confirm: true)
    let entry = RegdClient.entry(email: email, password: typed.password, confirmation: typed.confirmation)
      .adding("requestId", requestId.map(JSONValue.string))
    let result = try connection.result(of: "registration.register", proof.adding(admission.adding(entry)))
    try ClaimedResult(result, connection, proof).prove(code: code) { Self.line(of: $0, email) }
  }

  /// Makes a message for the user about regd's final result.
  private static func line(of result: JSONValue, _ email: String) -> LocalizedMessage {
    let key: ResultMessageKey =
      switch result["account"]?["state"]?.string {
      case "pending": .accepted
      case "waiting": .registeredWaiting
      default: .registered
      }
    return LocalizedMessage(key, ["email": .text(email), "id": .text(result.shown("account", "id"))])
  }
}

/// Options for what a person may give besides an address and a password to register.
struct AdmissionOptions: ParsableArguments {
  @Option(help: .said(RegisteringHelp.invitation, valueName: "code")) var invitation: String?
  @Option(help: .said(RegisteringHelp.acceptTerms, valueName: "version")) var acceptTerms: String?
  @Option(help: .said(CommonHelp.displayName, valueName: "name")) var displayName: String?

  func adding(_ params: JSONValue) -> JSONValue {
    params.adding("invitation", invitation.map(JSONValue.string)).adding("terms", acceptTerms.map(JSONValue.string))
      .adding("displayName", displayName.map(JSONValue.string))
  }
}

struct SignIn: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: .said(RegisteringHelp.signIn))

  @Argument(help: .said(CommonHelp.email)) var email: String
  @Option(help: .said(RegisteringHelp.signInGroup, valueName: "name")) var group: [String] = []
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    let params: JSONValue = ["email": .string(email), "password": .string(typed.password)]
    try connection.call("session.signIn", params.adding("groups", group)) { result in
      connection.say(
        ResultMessageKey.signedIn, ["email": .text(email), "id": .text(result.shown("account", "id"))])
      guard let terms = result["terms"] else { return }
      let current = terms.shown("current")
      connection.say(
        ResultMessageKey.termsDue,
        [
          "version": .text(current), "url": .text(terms.shown("url")),
          "command": .text("regctl accept-terms \(email) \(current)"),
        ])
    }
  }
}
