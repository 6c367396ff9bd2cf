internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct AcceptStore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept-store", abstract: .said(AdministeringHelp.acceptStore),
    discussion: .said(AdministeringHelp.acceptStoreMore))

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.call("daemon.acceptStore") { result in
      let isAccepted = result["accepted"]?.bool == true
      connection.say(isAccepted ? ResultMessageKey.storeAccepted : .storeNotBack)
    }
  }
}
