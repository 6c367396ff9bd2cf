internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl claim`: lists and proves claims, which are requests that wait until a mailed code proves an address.
struct ClaimCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "claim",
    abstract: .said(OwnerHelp.claim),
    subcommands: [ListCommand<Self>.self, Prove.self, Resend.self])

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
      if connection.json { Terminal.print(result.text) }
      let key: ResultMessageKey =
        switch result.shown("account", "state") {
        case "pending": .provenPending
        case "waiting": .provenWaiting
        default: .proven
        }
      connection.say(
        key,
        ["email": .text(result.shown("account", "email")), "id": .text(result.shown("account", "id"))])
    }
  }

  struct Resend: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "resend", abstract: .said(OwnerHelp.resend))
    @OptionGroup var claim: ClaimArgument
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("claim.resend", ["claim": .string(claim.id)]) { result in
        let next = "\(result.shown("claim", "resendAt").prefix(19))Z"
        connection.say(ResultMessageKey.askedForMail, ["claim": .text(claim.id), "time": .text(next)])
      }
    }
  }

  static let list = PrintedList(
    name: "claim", member: "claims", abstract: .said(OwnerHelp.claims),
    discussion: .said(OwnerHelp.claimsMore))

  static func cells(_ claim: JSONValue) -> [String] {
    [
      claim.shown("id"), claim.shown("kind"), claim.shown("state"), claim.time("createdAt"),
      Speech.text(ListMessageKey.until, ["time": .text(claim.time("expiresAt"))]),
      Speech.text(ListMessageKey.wrongCodes, ["count": .number(claim["attempts"]?.integer ?? 0)]), user(claim),
      claim.shown("email"),
    ]
  }

  private static func user(_ claim: JSONValue) -> String {
    let uid = LocalizedMessage.Content.text(claim["uid"]?.integer.map(String.init) ?? "?")
    guard let origin = claim["origin"]?.string else { return Speech.text(ListMessageKey.uid, ["uid": uid]) }
    return Speech.text(ListMessageKey.uidOrigin, ["uid": uid, "origin": .text(origin)])
  }
}

/// The claim that a command refers to.
struct ClaimArgument: ParsableArguments {
  @Argument(help: .said(CommonHelp.claim)) var id: String
}
