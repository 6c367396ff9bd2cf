internal import ArgumentParser
internal import RegdClient

struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says which rules an address and a password break; exit status 1 if any.")

  @Argument(help: "The e-mail address.") var email: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: true)
    let entry = RegdClient.entry(email: email, password: typed.password, confirmation: typed.confirmation)
    try connection.call("registration.validate", entry) { result in
      for problem in result["problems"]?.array ?? [] { connection.say(ConnectionOptions.describe(problem)) }
      guard result["registrationEnabled"]?.bool == true else { throw Refusal(message: nil) }
      connection.say("valid")
    }
  }
}

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says whether an address is free; exit status 1 if it is not.")

  @Argument(help: "The e-mail address.") var email: String
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.call("registration.checkEmail", ["email": .string(email)]) { result in
      guard result["available"]?.bool == true else {
        connection.say("\(email) is not available")
        throw Refusal(message: nil)
      }
      connection.say("\(email) is available")
    }
  }
}

struct Register: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Registers an account; asks for the code where its address has to be proven.",
    discussion: """
      Where regd wants addresses proven, it mails a code, and the account is there once the code was typed. A script says \
      --no-wait, which prints the claim, and later `regctl claim prove`; or it registers again with the same --request-id, \
      and --code.
      """)

  @Argument(help: "The e-mail address.") var email: String
  @Option(help: "A name for this registration: asked again with the same, it is answered again and not done twice.")
  var requestId: String?
  @Option(help: "The code that was mailed for a registration with this --request-id.") var code: String?
  @OptionGroup var proof: ProofOptions
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard code == nil || requestId != nil else {
      throw ValidationError("--code needs --request-id: a registration without one has a claim and a code of its own.")
    }
    guard code == nil || !proof.noWait else { throw ValidationError("--no-wait does not wait for a --code.") }
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

  /// What has been done, by regd's last result.
  private static func line(of result: JSONValue, _ email: String) -> String {
    let id = result["account"]?["id"]?.string ?? "?"
    return result["account"]?["state"]?.string == "pending"
      ? "accepted \(email) as \(id); it is pending until the network can be reached" : "registered \(email) as \(id)"
  }
}

struct SignIn: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: "Says whether an address and a password belong together.")

  @Argument(help: "The e-mail address.") var email: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    try connection.call("session.signIn", ["email": .string(email), "password": .string(typed.password)]) { result in
      connection.say("signed in \(email), account \(result["account"]?["id"]?.string ?? "?")")
    }
  }
}
