internal import ArgumentParser
internal import RegdClient
internal import Sentences

/// `regctl claim`: proves claims of addresses, and lists them.
struct ClaimCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "claim",
    abstract: .said(OwnerHelp.claim),
    subcommands: [List.self, Prove.self, Resend.self])

  struct Prove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prove", abstract: .said(OwnerHelp.prove),
      discussion:
        .said(OwnerHelp.proveMore))
    @OptionGroup var claim: ClaimArgument
    @Option(help: .said(CommonHelp.code)) var code: String?
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
        isPending ? ResultSentence.provenPending : .proven,
        ["email": .text(account?["email"]?.string ?? "?"), "id": .text(account?["id"]?.string ?? "?")])
    }
  }

  struct Resend: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resend", abstract: .said(OwnerHelp.resend))
    @OptionGroup var claim: ClaimArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("claim.resend", ["claim": .string(claim.id)]) { result in
        let next = (result["claim"]?["resendAt"]?.string ?? "?").prefix(19)
        connection.say(ResultSentence.askedForMail, ["claim": .text(claim.id), "time": "\(next)Z"])
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: .said(OwnerHelp.claims),
      discussion:
        .said(OwnerHelp.claimsMore)
    )
    @Option(help: .said(CommonHelp.after)) var after: String?
    @Option(help: .said(CommonHelp.limit)) var limit: Int?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let client = try connection.client()
      try Pages.forEach(client, "claim.list", member: "claims", after: after.map { .string($0) }, limit: limit) {
        claim in
        if connection.json { print(claim.text) } else { printLine(Self.line(claim)) }
      }
    }

    private static func line(_ claim: JSONValue) -> String {
      func text(_ member: String) -> String { claim[member]?.string ?? "?" }
      func time(_ member: String) -> String { "\(text(member).prefix(19))Z" }
      return [
        text("id"), text("kind"), text("state"), time("createdAt"),
        Speech.text(ListSentence.until, ["time": .text(time("expiresAt"))]),
        Speech.text(ListSentence.wrongCodes, ["count": .number(claim["attempts"]?.integer ?? 0)]), user(claim),
        text("email"),
      ].joined(separator: "  ")
    }

    private static func user(_ claim: JSONValue) -> String {
      let uid = Sentence.Content.text(claim["uid"]?.integer.map(String.init) ?? "?")
      guard let origin = claim["origin"]?.string else { return Speech.text(ListSentence.uid, ["uid": uid]) }
      return Speech.text(ListSentence.uidOrigin, ["uid": uid, "origin": .text(origin)])
    }
  }
}

/// The claim that a command refers to.
struct ClaimArgument: ParsableArguments {
  @Argument(help: .said(CommonHelp.claim)) var id: String
}
