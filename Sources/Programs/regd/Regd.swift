internal import ArgumentParser
internal import Daemon
internal import Linux

/// `regd`: the daemon's command line.
@main
struct Regd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regd",
    abstract: "Run the registration daemon",
    discussion: """
      Every key of the configuration can also be an option, an environment variable or a credential. For example, the key \
      hashing.memoryKiB is the option --hashing-memoryKiB (or --hashing-memory-ki-b), the variable REGD_HASHING_MEMORY_KI_B, \
      and the credential hashing-memoryKiB, which is a file in $CREDENTIALS_DIRECTORY. An option overrides a variable, which \
      overrides a credential, which overrides the file.

      Exit status: 0 after a clean stop, 69 if a needed service is missing at startup, 71 if the operating system refuses \
      something, 78 if the configuration is wrong.
      """,
    version: "regd \(Version.current)")

  @Option(
    help: ArgumentHelp(
      "Configuration file (default: \(ConfigurationSource.defaultFile), or the built-in defaults if it does not exist)",
      valueName: "file"))
  var config: String?

  @Flag(help: "Check the configuration, report what it names and this machine lacks, and exit")
  var checkConfig = false

  @Flag(help: ArgumentHelp("List the stores and networks that can be configured, for programs", visibility: .hidden))
  var listBackends = false

  @Argument(parsing: .allUnrecognized, help: .hidden)
  var settings: [String] = []

  static func main() async {
    // SIGHUP is caught from the start, because its default action would end regd
    NotedHangUp.listen()
    ThisProcess.openStandardDescriptors()
    // as many descriptors as the machine allows, even above a shell's soft limit
    ThisProcess.raiseDescriptorLimit()
    // by default, glibc keeps freed blocks of sizes that it has seen before (mallopt(3), M_MMAP_THRESHOLD), so a moment
    // with many callers would enlarge the daemon forever
    ThisProcess.giveMemoryBack(threshold: 131_072)
    ThisProcess.setFileMask(0o077)
    Signal.brokenPipe.ignore()
    // with SIGXFSZ ignored, a limit on file sizes (RLIMIT_FSIZE) makes a write fail and does not end the daemon
    Signal.fileSizeLimit.ignore()
    let regd: Regd
    do {
      regd = try parse()
    } catch {
      if exitCode(for: error).isSuccess { exit(withError: error) }
      fail(.configuration, fullMessage(for: error))
    }
    do {
      try await regd.run()
    } catch let failure as StartupFailure {
      fail(failure.status, failure.description)
    } catch {
      fail(.operatingSystem, "stopped by an internal error: \(error)")
    }
  }

  func run() async throws {
    if listBackends { return print(try await Backends.list()) }
    let source = ConfigurationSource(file: config, arguments: settings, environment: ThisProcess.environment)
    let configuration: Configuration
    do throws(ConfigurationError) { configuration = try await source.load() } catch { throw StartupFailure(error) }
    if checkConfig {
      print("\(configuration.file ?? "no file, the defaults"): valid")
      for warning in configuration.warnings { LastWords.warn("\(warning)") }
      return
    }
    try await Daemon(configuration, from: source).run()
  }

  private static func fail(_ status: StartupFailure.Status, _ message: String) -> Never {
    LastWords.say(message, status)
    ThisProcess.exit(status.rawValue)
  }
}
