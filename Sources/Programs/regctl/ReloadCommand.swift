internal import ArgumentParser
internal import Linux
internal import RegdClient

struct Reload: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has regd read its configuration again.",
    discussion: """
      Returns when the new configuration is in force, or with exit status 1 and everything that is wrong with it; the old \
      one stays as it was then. Without --socket and REGD_SOCKET_PATH, as ExecReload= of a unit it finds the socket that \
      the unit's main process listens on (MAINPID).
      """)

  @Flag(help: "Only check the configuration, and say what would change.")
  var dryRun = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    var connection = connection
    if connection.socket == nil, ThisProcess.variable("REGD_SOCKET_PATH") == nil,
      let pid = ThisProcess.variable("MAINPID").flatMap({ Int32($0) })
    {
      // one that regd made has the name there under which it was made, before it was renamed
      connection.socket = ListeningSockets.paths(of: pid).first.map {
        $0.hasSuffix(".new") ? String($0.dropLast(4)) : $0
      }
    }
    try connection.call("daemon.reload", .object([.init("dryRun", .bool(dryRun))])) { result in
      let changed = (result["changed"]?.array ?? []).compactMap(\.string)
      let what =
        changed.isEmpty ? "nothing \(dryRun ? "would change" : "has changed")" : changed.joined(separator: ", ")
      connection.say(dryRun ? "the configuration is good; it would change: \(what)" : "reloaded: \(what)")
    }
  }
}
