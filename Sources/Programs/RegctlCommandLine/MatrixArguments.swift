package import ArgumentParser
internal import Localization
internal import UserMessages

/// The command line of `regctl matrix`. The program `regd-matrix` runs the command.
package struct MatrixArguments: ParsableArguments {
  @Argument(help: .said(WatchingHelp.matrixDirectory)) package var directory = "/etc/regd/environments"
  @Option(help: .said(WatchingHelp.matrixRegd, valueName: "path")) package var regd = "/usr/bin/regd"
  @Option(help: .said(WatchingHelp.matrixFilter, valueName: "text")) package var filter: String?
  @Option(help: .said(WatchingHelp.matrixHTML, valueName: "file")) package var html: String?
  @Option(help: .said(WatchingHelp.matrixJobs, valueName: "count")) package var jobs: Int?
  @Flag(help: .said(WatchingHelp.matrixJSON)) package var json = false

  package init() {}

  package func validate() throws {
    if let jobs, !(1...64).contains(jobs) {
      throw ValidationError(UsageMessageKey.jobs, ["value": .number(jobs)])
    }
  }

  package static let command = CommandConfiguration(
    commandName: "matrix", abstract: .said(WatchingHelp.matrix), discussion: .said(WatchingHelp.matrixMore))
}
