internal import ArgumentParser
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

struct Reload: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: .said(AdministeringHelp.reload),
    discussion: .said(AdministeringHelp.reloadMore))

  @Flag(help: .said(AdministeringHelp.reloadDryRun))
  var dryRun = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    var connection = connection
    if connection.socket == nil, ThisProcess.variable("REGD_SOCKET_PATH") == nil,
      let pid = ThisProcess.variable("MAINPID").flatMap({ Int32($0) })
    {
      // regd binds its socket under a temporary name and then renames it. /proc still has the temporary name
      connection.socket = ListeningSockets.paths(of: pid).first.map {
        $0.hasSuffix(".new") ? String($0.dropLast(4)) : $0
      }
    }
    try connection.call("daemon.reload", .object([.init("dryRun", .bool(dryRun))])) { result in
      let changed = (result["changed"]?.array ?? []).compactMap(\.string)
      switch (dryRun, changed.isEmpty) {
      case (false, false): connection.say(ResultMessageKey.reloaded, ["changed": .list(changed)])
      case (false, true): connection.say(ResultMessageKey.reloadedNothing)
      case (true, false): connection.say(ResultMessageKey.wouldChange, ["changed": .list(changed)])
      case (true, true): connection.say(ResultMessageKey.wouldChangeNothing)
      }
    }
  }
}
