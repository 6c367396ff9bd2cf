internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct ChangePassword: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "password", abstract: .said(OwnerHelp.password))

  @Argument(help: .said(CommonHelp.accountEmail)) var email: String
  @OptionGroup var passwords: PasswordChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try passwords.read()
    let params: JSONValue = [
      "email": .string(email), "password": .string(typed.password), "newPassword": .string(typed.new),
      "newPasswordConfirmation": .string(typed.confirmation),
    ]
    try connection.call("owner.changePassword", params) { _ in
      connection.say(ResultMessageKey.passwordChanged, ["email": .text(email)])
    }
  }
}

struct ChangeEmail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "email",
    abstract: .said(OwnerHelp.email))

  @Argument(help: .said(CommonHelp.accountEmail)) var email: String
  @Argument(help: .said(OwnerHelp.newEmail, valueName: "new-email")) var new: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var proof: ProofOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    let params: JSONValue = [
      "email": .string(email), "password": .string(typed.password), "newEmail": .string(new),
    ]
    let result = try connection.result(of: "owner.changeEmail", proof.adding(params))
    try ClaimedResult(result, connection, proof).prove { result in
      LocalizedMessage(
        ResultMessageKey.emailChanged,
        ["email": .text(email), "new": .text(result.shown("account", "email"))])
    }
  }
}

struct AcceptTerms: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept-terms", abstract: .said(OwnerHelp.acceptTerms))

  @Argument(help: .said(CommonHelp.accountEmail)) var email: String
  @Argument(help: .said(OwnerHelp.termsVersion)) var version: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    let params: JSONValue = [
      "email": .string(email), "password": .string(typed.password), "terms": .string(version),
    ]
    try connection.call("owner.acceptTerms", params) { _ in
      connection.say(ResultMessageKey.termsAccepted, ["email": .text(email), "version": .text(version)])
    }
  }
}

struct SignOut: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "sign-out", abstract: .said(OwnerHelp.signOut))

  @Argument(help: .said(CommonHelp.accountEmail)) var email: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    try connection.call("owner.signOut", ["email": .string(email), "password": .string(typed.password)]) { _ in
      connection.say(ResultMessageKey.signedOut, ["account": .text(email)])
    }
  }
}

struct Unregister: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister", abstract: .said(OwnerHelp.unregister))

  @Argument(help: .said(CommonHelp.accountEmail)) var email: String
  @OptionGroup var consent: Consent
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    try consent.demand(
      PromptMessageKey.deleteOwn, orSay: .notDeleted, ["email": .text(email), "account": .text(email)])
    try connection.call("owner.delete", ["email": .string(email), "password": .string(typed.password)]) { _ in
      connection.say(ResultMessageKey.ownDeleted, ["email": .text(email)])
    }
  }
}

struct MyData: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "my-data", abstract: .said(OwnerHelp.myData))

  @Argument(help: .said(CommonHelp.accountEmail)) var email: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    var next: JSONValue?
    repeat {
      let owner: JSONValue = ["email": .string(email), "password": .string(typed.password)]
      let isFirst = next == nil
      try connection.call("owner.export", owner.adding("after", next)) { result in
        if isFirst { for line in AccountCommand.Get.lines(result) { connection.say(line: line) } }
        for entry in result["audit"]?.array ?? [] { connection.say(line: EventsCommand.line(entry)) }
        next = result["next"]
      }
    } while next != nil
  }
}
