internal import ArgumentParser
internal import RegdClient

struct ChangePassword: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "password", abstract: "Changes one's own password, by the one that there is.")

  @Argument(help: "The account's e-mail address.") var email: String
  @OptionGroup var passwords: PasswordChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try passwords.read()
    let params: JSONValue = [
      "email": .string(email), "password": .string(typed.password), "newPassword": .string(typed.new),
      "newPasswordConfirmation": .string(typed.confirmation),
    ]
    try connection.call("owner.changePassword", params) { _ in connection.say("changed the password of \(email)") }
  }
}

struct ChangeEmail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "email",
    abstract: "Gives one's own account another address, once the code that is mailed to it is typed.")

  @Argument(help: "The account's e-mail address.") var email: String
  @Argument(help: "The address that it is to have.") var new: String
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
      "\(email) is now \(result["account"]?["email"]?.string ?? "?")"
    }
  }
}

struct Unregister: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Deletes one's own account for good; its address is free again.")

  @Argument(help: "The account's e-mail address.") var email: String
  @Flag(help: "Do not ask whether that is meant.") var yes = false
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    if !yes, Terminal.ask("Delete the account of \(email) for good? Type yes: ") != "yes" {
      throw Refusal(message: "\(email) was not deleted; --yes does it without asking")
    }
    try connection.call("owner.delete", ["email": .string(email), "password": .string(typed.password)]) { _ in
      connection.say("deleted the account of \(email)")
    }
  }
}

struct MyData: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "my-data", abstract: "Prints all that regd knows of one's own account.")

  @Argument(help: "The account's e-mail address.") var email: String
  @OptionGroup var password: PasswordOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let typed = try password.read(confirm: false)
    try connection.call("owner.export", ["email": .string(email), "password": .string(typed.password)]) { result in
      guard let account = result["account"] else { return }
      for line in AccountCommand.Get.lines(account) { connection.say(line) }
      for entry in result["audit"]?.array ?? [] { connection.say(EventsCommand.line(entry)) }
    }
  }
}
