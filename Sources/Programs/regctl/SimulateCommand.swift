internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import UserMessages

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
