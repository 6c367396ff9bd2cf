internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl invite`: makes an invitation.
struct Invite: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: .said(AdministeringHelp.invite), discussion: .said(AdministeringHelp.inviteMore))

  @Argument(help: .said(AdministeringHelp.inviteEmail)) var email: String?
  @Option(help: .said(AdministeringHelp.inviteDomain)) var domain: String?
  @Option(help: .said(AdministeringHelp.inviteUses, valueName: "count")) var uses: Int?
  @Option(help: .said(AdministeringHelp.inviteExpires, valueName: "time")) var expires: TimeSpan?
  @Option(help: .said(AdministeringHelp.inviteNote, valueName: "text")) var note: String?
  @Option(help: .said(AdministeringHelp.inviteGroup, valueName: "name")) var group: [String] = []
  @Flag(help: .said(AdministeringHelp.inviteSend)) var send = false
  @Option(help: .said(CommonHelp.mailLanguage)) var language: String?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !send || email != nil else { throw ValidationError(UsageMessageKey.sendNeedsEmail) }
    guard email == nil || domain == nil else { throw ValidationError(UsageMessageKey.emailOrDomain) }
    guard language == nil || send else { throw ValidationError(UsageMessageKey.languageOfMail) }
  }

  func run() throws {
    let params = JSONValue.object([])
      .adding("email", email.map(JSONValue.string)).adding("domain", domain.map(JSONValue.string))
      .adding("uses", uses.map { .number("\($0)") })
      .adding("expiresSeconds", expires.map { .number("\($0.seconds)") })
      .adding("note", note.map(JSONValue.string)).adding("send", send ? .bool(true) : nil)
      .adding("language", language.map(JSONValue.string)).adding("groups", group)
    try connection.call("invitation.create", params) { result in
      guard let invitation = result["invitation"] else { return }
      if let code = result["code"]?.string {
        connection.say(ResultMessageKey.invitationCode)
        // alone in its line, so that a person can paste the whole line
        connection.say(line: code)
      } else {
        connection.say(ResultMessageKey.invitationMailed, ["email": .text(invitation.shown("email"))])
      }
      connection.say(line: InvitationCommand.cells(invitation).joined(separator: "  "))
    }
  }
}

/// `regctl invitation`: shows and revokes invitations.
struct InvitationCommand: ListingCommand {
  static let configuration = CommandConfiguration(
    commandName: "invitation", abstract: .said(AdministeringHelp.invitation),
    subcommands: [ListCommand<Self>.self, Revoke.self])

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: .said(AdministeringHelp.invitationRevoke),
      discussion: .said(AdministeringHelp.invitationRevokeMore))
    @Argument(help: .said(AdministeringHelp.invitationId)) var id: String
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      try connection.call("invitation.revoke", ["id": .string(id)]) { _ in
        connection.say(ResultMessageKey.revoked, ["id": .text(id)])
      }
    }
  }

  static let list = PrintedList(
    name: "invitation", member: "invitations", abstract: .said(AdministeringHelp.invitationList),
    discussion: .said(AdministeringHelp.invitationListMore))

  static func cells(_ invitation: JSONValue) -> [String] {
    func number(_ name: String) -> LocalizedMessage.Content { .number(invitation[name]?.integer ?? 0) }
    var cells = [
      invitation.shown("id"),
      Speech.text(ListMessageKey.uses, ["used": number("used"), "uses": number("uses")]),
      Speech.text(ListMessageKey.held, ["count": number("held")]),
      invitation["revokedAt"] == nil
        ? Speech.text(ListMessageKey.until, ["time": .text(invitation.time("expiresAt"))])
        : Speech.text(ListMessageKey.revoked, ["time": .text(invitation.time("revokedAt"))]),
      invitation["email"]?.string ?? invitation["domain"]?.string.map { "@\($0)" }
        ?? Speech.text(ListMessageKey.anybody),
    ]
    if let note = invitation["note"]?.string { cells.append(note) }
    return cells
  }
}

/// A span of time as users type it: a number with its unit, as in `7d`.
struct TimeSpan: ExpressibleByArgument {
  let seconds: Int

  private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]

  init?(argument: String) {
    guard let unit = argument.last.flatMap({ Self.units[$0] }), let count = Int(argument.dropLast()), count > 0
    else { return nil }
    let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit)
    guard !isTooLong else { return nil }
    self.seconds = seconds
  }
}
