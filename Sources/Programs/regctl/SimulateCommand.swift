internal import ArgumentParser
internal import Linux
internal import RegdProcesses
internal import Sentences

/// `regctl simulate`: runs a configuration in the simulator, which is a separate program.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: .said(WatchingHelp.simulate), discussion: .said(WatchingHelp.simulateMore))

  @Option(help: .said(WatchingHelp.simulateConfig, valueName: "file")) var config = "/etc/regd/regd.yaml"
  @Option(help: .said(WatchingHelp.simulateSeed, valueName: "number")) var seed: UInt64?
  @Option(help: .said(WatchingHelp.simulateSeeds, valueName: "range")) var seeds: String?
  @Option(help: .said(WatchingHelp.simulateMinutes)) var minutes: Int?

  @Flag(help: .said(CommonHelp.jsonResult)) var json = false

  /// The possible paths of the simulator: next to regctl in a build, otherwise the path at which the package installs
  /// it.
  private static var places: [String] {
    ["\(ProgramDirectory.own)/regd-simulate", "\(ProgramDirectory.own)/../libexec/regd/regd-simulate"]
  }

  func validate() throws {
    guard (seed == nil) != (seeds == nil) else { throw ValidationError(UsageSentence.seedOrSeeds) }
    if let minutes, !(1...10_080).contains(minutes) {
      throw ValidationError(
        UsageSentence.range,
        ["option": "--minutes", "least": "1", "most": "10080", "value": .number(minutes)])
    }
  }

  func run() throws {
    guard let program = Self.places.first(where: FileSystem.isExecutable) else {
      throw Refusal(FailureSentence.noSimulator, ["places": .list(Self.places)])
    }
    var arguments = ["--config", config, "--seeds", seeds ?? seed.map { "\($0)" } ?? "1", "--progress"]
    if json { arguments.append("--json") }
    if let minutes { arguments += ["--minutes", "\(minutes)"] }
    do throws(SystemError) { try ThisProcess.become(program, arguments, setting: [:]) } catch {
      throw Refusal(FailureSentence.cannotOpen, ["file": .text(program), "reason": .text(error.text)])
    }
  }
}
