internal import ArgumentParser
internal import RegdClient

/// `regctl claim`: proves claims of addresses, and lists them.
struct ClaimCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "claim",
    abstract: "Proves an address with the code that was mailed to it; lists claims, for administrators.",
    subcommands: [List.self, Prove.self, Resend.self])

  struct Prove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Finishes what was claimed: registers the account, or gives it its new address.",
      discussion:
        "Asks for the code, unless --code has it. A claim is proven by the user that it was given to, and by no other.")
    @OptionGroup var claim: ClaimArgument
    @Option(help: "The code; without it, it is asked for.") var code: String?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let dialogue = CodeDialogue(claim: claim.id, later: "regctl claim prove \(claim.id)", connection: connection)
      let result = try dialogue.run(code) { code in
        try connection.answer(to: "claim.prove", ["claim": .string(claim.id), "code": .string(code)])
      }
      if connection.json { print(result.text) }
      let account = result["account"]
      let isPending = account?["state"]?.string == "pending"
      connection.say(
        "proven: \(account?["email"]?.string ?? "?") is account \(account?["id"]?.string ?? "?")"
          + (isPending ? "; it is pending until the network can be reached" : ""))
    }
  }

  struct Resend: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Has the code mailed again: the same one while it lives, then a new one.")
    @OptionGroup var claim: ClaimArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("claim.resend", ["claim": .string(claim.id)]) { result in
        let next = (result["claim"]?["resendAt"]?.string ?? "?").prefix(19)
        connection.say("asked for the mail of \(claim.id) again; not again before \(next)Z")
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the claims that there are, in the order of their ids.",
      discussion:
        "A line each: the id, kind, state, when it was made and when it ends, wrong codes, the user, the address. With --json as regd has it."
    )
    @Option(help: "Begin behind this id.") var after: String?
    @Option(help: "How many at most; else all.") var limit: Int?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let client = try RegdClient(path: connection.path, timeoutSeconds: connection.timeout)
      try Pages.forEach(client, "claim.list", member: "claims", after: after.map { .string($0) }, limit: limit) {
        claim in
        if connection.json { print(claim.text) } else { print(Self.line(claim)) }
      }
    }

    private static func line(_ claim: JSONValue) -> String {
      func text(_ member: String) -> String { claim[member]?.string ?? "?" }
      func time(_ member: String) -> String { "\(text(member).prefix(19))Z" }
      return [
        text("id"), text("kind"), text("state"), time("createdAt"), "until \(time("expiresAt"))",
        "wrong codes \(claim["attempts"]?.integer ?? 0)",
        "uid \(claim["uid"]?.integer.map(String.init) ?? "?")\(claim["origin"]?.string.map { " (\($0))" } ?? "")",
        text("email"),
      ].joined(separator: "  ")
    }
  }
}

/// The claim that a command is about.
struct ClaimArgument: ParsableArguments {
  @Argument(help: "The claim's id.") var id: String
}
