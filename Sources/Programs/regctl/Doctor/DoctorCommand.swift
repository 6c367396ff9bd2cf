internal import ArgumentParser
internal import Linux
internal import RegdClient

/// `regctl doctor`: finds the usual mistakes, and says what to type.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Finds the usual mistakes, and says what to type; exit status 1 if there are any.",
    discussion: """
      Looks at the socket, this user's groups, the configuration, the store and its disk, the clock, what the machine gives \
      to regd, and the upstream. Changes nothing. Root is shown more than others; what may not be seen is said.
      """)

  @Option(help: "The configuration; else the file that regd has read.") var config: String?
  @Option(help: "The regd that checks it; else the one beside this program.") var regd: String?
  @Option(
    help: ArgumentHelp(
      "Register this address twice under one key at the upstream, which must answer both with one account. It stays there.",
      valueName: "address"))
  var tryUpstream: String?
  @Option(help: "regd's socket; else REGD_SOCKET_PATH, else /run/regd/regd.sock.") var socket: String?
  @Option(help: "Seconds to wait for an answer of regd.") var timeout = 10
  @Flag(help: "Print the findings as JSON.") var json = false

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout takes seconds from 1 to 86400") }
  }

  func run() async throws {
    let findings = DoctorCheck.findings(await look())
    if json {
      print(JSONValue.object([.init("findings", .array(findings.map(\.json)))]).text)
    } else {
      print(DoctorReport(findings).text(colour: Terminal.wantsColour, width: Terminal.width))
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
    let store = facts.daemon.info.result?["store"]?["backend"]?.string ?? values["store.backend"]
    facts.places = MachineLook.places(
      database: store != "sqlite"
        ? nil : facts.daemon.status.result?["store"]?["path"]?.string ?? values["store.sqlite.path"])
    var isReadable = true
    if case .notDone = facts.configuration.check { isReadable = false }
    facts.upstream = await UpstreamLook(values).look(facts.daemon, isReadable: isReadable, registering: tryUpstream)
    return facts
  }
}
