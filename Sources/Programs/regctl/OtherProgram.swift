internal import ArgumentParser
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdProcesses
internal import UserMessages

/// The programs that regctl becomes for some of its commands. They link what regctl does not.
enum OtherProgram: String {
  /// Signs users in for PAM and other programs, and starts fast.
  case login = "regd-login"
  /// Opens databases.
  case tools = "regd-tools"
  /// Starts regd in each environment.
  case matrix = "regd-matrix"
  case simulator = "regd-simulate"

  /// The Debian package that installs the program.
  private var debianPackage: String {
    switch self {
    case .login, .tools: "regd"
    case .matrix, .simulator: "regd-devtools"
    }
  }

  /// The possible paths: next to regctl in a build, otherwise the path at which the package installs the program.
  private var paths: [String] {
    ["\(ProgramDirectory.own)/\(rawValue)", "\(ProgramDirectory.own)/../libexec/regd/\(rawValue)"]
  }

  /// Whether a file can be run, and belongs to root, to the owner of regctl, or to the user. Other users may have created it if
  /// regctl is in a directory such as /tmp. The running file itself does not count, because a regctl that has this program's
  /// name would start itself again and again.
  private static func mayRun(_ path: String) -> Bool {
    guard FileSystem.isExecutable(path), let file = try? FileStatus(path, followsLink: false) else { return false }
    let own = try? FileStatus(ThisProcess.program)
    guard (try? FileStatus(path))?.identity != own?.identity else { return false }
    return [0, ThisProcess.effectiveUser, own?.owner].contains(file.owner)
  }

  /// The program's own name for itself. The user has typed regctl's, which lists of processes therefore still show.
  private var name: String? { self == .simulator ? nil : "regctl" }

  /// Replaces regctl by the program, which keeps the environment and all descriptors.
  ///
  /// - Parameter arguments: The default is regctl's own.
  /// - Throws: If the program is missing, or cannot be started.
  func become(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) throws(Refusal) -> Never {
    guard let path = paths.first(where: Self.mayRun) else {
      throw Refusal(
        FailureMessageKey.noOtherProgram,
        ["program": .text(rawValue), "places": .list(paths), "package": .text(debianPackage)])
    }
    do throws(SystemError) { try ThisProcess.become(programAt: path, arguments, named: name) } catch {
      throw Refusal(FailureMessageKey.cannotOpen, ["file": .text(path), "reason": .text(error.text)])
    }
  }
}

/// The commands that open databases. regctl reads their command lines, and `regd-tools` runs them.
struct BackupCommand: ParsableCommand {
  static let configuration = BackupArguments.command
  @OptionGroup var arguments: BackupArguments

  func run() throws { try OtherProgram.tools.become() }
}

struct MoveCommand: ParsableCommand {
  static let configuration = MoveArguments.command
  @OptionGroup var arguments: MoveArguments

  func run() throws { try OtherProgram.tools.become() }
}

struct MigrateCommand: ParsableCommand {
  static let configuration = MigrateArguments.command
  @OptionGroup var arguments: MigrateArguments

  func run() throws { try OtherProgram.tools.become() }
}

/// `regctl simulate`: runs a configuration in the simulator, which is a separate program.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: .said(WatchingHelp.simulate), discussion: .said(WatchingHelp.simulateMore))

  @Option(help: .said(WatchingHelp.simulateConfig, valueName: "file")) var config = "/etc/regd/regd.yaml"
  @Option(help: .said(WatchingHelp.simulateSeed, valueName: "number")) var seed: UInt64?
  @Option(help: .said(WatchingHelp.simulateSeeds, valueName: "range")) var seeds: String?
  @Option(help: .said(WatchingHelp.simulateMinutes)) var minutes: Int?

  @Flag(help: .said(CommonHelp.jsonResult)) var json = false

  func validate() throws {
    guard (seed == nil) != (seeds == nil) else { throw ValidationError(UsageMessageKey.seedOrSeeds) }
    if let minutes, !(1...10_080).contains(minutes) {
      throw ValidationError(
        UsageMessageKey.range,
        ["option": "--minutes", "least": "1", "most": "10080", "value": .number(minutes)])
    }
  }

  func run() throws {
    var arguments = ["--config", config, "--seeds", seeds ?? seed.map { "\($0)" } ?? "1", "--progress"]
    if json { arguments.append("--json") }
    if let minutes { arguments += ["--minutes", "\(minutes)"] }
    try OtherProgram.simulator.become(arguments)
  }
}

/// `regctl matrix`. regctl reads the command line, and `regd-matrix` runs the command.
struct MatrixCommand: ParsableCommand {
  static let configuration = MatrixArguments.command
  @OptionGroup var arguments: MatrixArguments

  func run() throws { try OtherProgram.matrix.become() }
}
