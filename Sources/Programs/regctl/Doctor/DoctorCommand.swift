internal import ArgumentParser
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl doctor`: finds common mistakes, and gives the commands that fix them.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: .said(WatchingHelp.doctor),
    discussion: .said(WatchingHelp.doctorMore))

  @Option(help: .said(WatchingHelp.doctorConfig, valueName: "file")) var config: String?
  @Option(help: .said(WatchingHelp.doctorRegd, valueName: "path")) var regd: String?
  @Option(
    help: .said(WatchingHelp.doctorTryUpstream, valueName: "address"))
  var tryUpstream: String?
  @Option(help: .said(CommonHelp.socket, valueName: "path")) var socket: String?
  @Option(help: .said(WatchingHelp.doctorTimeout, valueName: "seconds")) var timeout = 10
  @Flag(help: .said(WatchingHelp.doctorJSON)) var json = false

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError(UsageMessageKey.timeout) }
  }

  func run() async throws {
    let findings = DoctorCheck.findings(await look())
    if json {
      Terminal.print(JSONValue.object([.init("findings", .array(findings.map(\.json)))]).text)
    } else {
      Terminal.print(styled: DoctorReport(findings).text(colour: Terminal.wantsColour, width: Terminal.width))
    }
    if findings.contains(where: \.verdict.isTrouble) { throw Refusal(message: nil) }
  }

  private func look() async -> Facts {
    let path = socket ?? ThisProcess.variable("REGD_SOCKET_PATH") ?? SocketFacts().path
    let (socket, listener) = SocketLook.look(at: path)
    var facts = Facts(socket: socket)
    facts.daemon = DaemonLook.look(at: path, listener: listener, timeout: timeout)
    facts.machine = MachineLook.machine(pid: facts.daemon.pid)
    facts.configuration = ConfigurationLook(config, daemon: facts.daemon)
      .look(program: regd, daemon: facts.daemon, now: facts.machine.now)
    let values = facts.configuration.values
    facts.user = MachineLook.user(socket, values)
    facts.doors = DoorLook.look(facts.daemon, values, timeout: timeout)
    let store = facts.daemon.info.result?["store"]?["backend"]?.string ?? values["store.backend"]
    let database = facts.daemon.status.result?["store"]?["path"]?.string ?? values["store.sqlite.path"]
    facts.places = MachineLook.places(
      // without the home directory of regd's user, a path below it is unknown
      database: store != "sqlite" || database.hasPrefix("~") ? nil : database,
      // "" skips the search for obstacles: a regd that answers has proved that its user may write there
      user: facts.daemon.info.result == nil ? facts.daemon.unitState["User"] ?? "" : "")
    var isReadable = true
    if case .notDone = facts.configuration.check { isReadable = false }
    facts.upstream = await UpstreamLook(values).look(facts.daemon, isReadable: isReadable, registering: tryUpstream)
    return facts
  }
}
