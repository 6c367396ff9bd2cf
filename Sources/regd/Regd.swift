internal import ArgumentParser
internal import Daemon
internal import Glibc

/// `regd`: the daemon's command line.
@main
struct Regd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regd",
    abstract: "The registration daemon.",
    discussion: """
      Any key of the configuration may be given too, as --store-backend memory or --socket-path=/tmp/regd.sock; it is \
      stronger than the environment (REGD_STORE_BACKEND=memory), which is stronger than the file.

      Exit status: 0 after a clean stop, 78 for the configuration, 69 when a needed service is missing at start, 71 for \
      the operating system.
      """,
    version: "regd \(Version.current)")

  private static let defaultFile = "/etc/regd/regd.yaml"

  @Option(help: "The configuration file. Without it \(Self.defaultFile), or the defaults where that is missing.")
  var config: String?

  @Flag(help: "Read and check the configuration, and do nothing else.")
  var checkConfig = false

  @Argument(parsing: .allUnrecognized, help: .hidden)
  var settings: [String] = []

  static func main() async {
    umask(0o077)
    signal(SIGPIPE, SIG_IGN)
    do {
      let command = try parseAsRoot()
      if let regd = command as? Regd {
        try await regd.run()
      } else {
        var other = command
        try other.run()
      }
    } catch let failure as StartupFailure {
      complain("\(failure)")
      Glibc.exit(failure.status.rawValue)
    } catch {
      let code = exitCode(for: error)
      if code.isSuccess { exit(withError: error) }
      complain(fullMessage(for: error))
      Glibc.exit(StartupFailure.Status.configuration.rawValue)
    }
  }

  func run() async throws {
    let settings: Settings
    do throws(ConfigurationError) {
      settings = try await Settings(
        file: try readFile(), arguments: self.settings, environment: ProcessEnvironment.all)
    } catch {
      throw StartupFailure(error)
    }
    if checkConfig {
      print("\(config ?? Self.defaultFile): good")
      return
    }
    try await Daemon(settings).run()
  }

  private func readFile() throws(ConfigurationError) -> (path: String, text: String)? {
    let path = config ?? Self.defaultFile
    if let text = ProcessEnvironment.text(ofFile: path) { return (path, text) }
    if config == nil, errno == ENOENT { return nil }
    throw ConfigurationError(problems: [
      ConfigurationProblem(place: path, key: nil, message: "cannot be read: \(String(cString: strerror(errno)))")
    ])
  }

  private static func complain(_ message: String) {
    let line = "regd: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
  }
}
