internal import ArgumentParser
internal import CSimulation
internal import Daemon
internal import Linux
internal import RegdClient
@_spi(ExperimentalCustomExecutors) import _Concurrency

/// `regd-simulate`: simulates runs of regd, each decided by a seed.
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regd-simulate",
    abstract: "Simulate regd on one thread, in a world that a seed decides, and check its promises",
    discussion: """
      The same seed of the same build gives the same run, byte for byte. Exit status: 0 if every promise was kept; 1 if one was \
      broken, which is printed with the command that breaks it again; 78 if the configuration is wrong.
      """)

  @Option(help: ArgumentHelp("Seeds to run, such as 7 or 1-100", valueName: "range"))
  var seeds = "1"

  @Option(
    help: ArgumentHelp(
      "Actions to run, by the numbers that a broken run prints (default: all)", valueName: "numbers"))
  var only: String?

  @Option(
    help: ArgumentHelp(
      "Simulate regd with this configuration, as far as it concerns callers and the upstream (default: determined by the seed)",
      valueName: "file"))
  var config: String?

  @Option(help: "Length of each run in simulated minutes (default: determined by the seed)")
  var minutes: Int?

  @Option(
    help: ArgumentHelp("Number of regd that share a store, 1 to 4; a single regd uses SQLite", valueName: "count"))
  var daemons = 1

  @Flag(help: "Show progress on standard error")
  var progress = false

  @Flag(help: "Print the result as JSON")
  var json = false

  @Flag(help: "Print everything that can be seen of the run")
  var transcript = false

  @Flag(help: "Print how often each promise was checked and each fault happened; exit status 2 if one never was")
  var counts = false

  @Flag(inversion: .prefixedNo, help: "Search for a few actions that suffice to break the promise again")
  var shrink = true

  @Option(help: ArgumentHelp("Stop a run after this number of steps", valueName: "count"))
  var steps = 2_000_000

  @Option(help: ArgumentHelp("Number of runs at once, each in a process; 0 for one per processor", valueName: "count"))
  var jobs = 0

  @Flag(help: "Print the promises: name, article and sentence, separated by tabs")
  var promises = false

  /// The most seeds, and also the most steps: far more than anybody waits for, and products of both do not overflow.
  private static let most: UInt64 = 1_000_000_000

  func run() throws {
    if promises {
      for promise in Promise.allCases { print("\(promise.name)\t\(promise.article)\t\(promise.sentence)") }
      return
    }
    guard let seeds = Self.range(seeds) else { throw ValidationError("--seeds: 7, or 1-100; 10⁹ at most") }
    if let minutes, !(1...10_080).contains(minutes) { throw ValidationError("--minutes: 1 to 10080") }
    guard steps > 0, steps <= Self.most else { throw ValidationError("--steps: 1 to \(Self.most)") }
    guard (1...4).contains(daemons) else { throw ValidationError("--daemons: 1 to 4") }
    let own = try config.map(self.own)
    if !json { for line in own?.notPlayed ?? [] { LastWords.warn("not simulated: \(line)") } }
    let only = only.map { $0.split(separator: ",").compactMap { Int($0) } }
    guard let tally = Tally(), simulated_limit_descriptors(), simulated_make_places() else {
      throw ValidationError("the machine has no memory, no descriptors, or no place for files (TMPDIR, or else /tmp)")
    }
    let report = Report(
      tally: tally, from: simulated_real_time(), config: config, minutes: minutes, daemons: daemons, own: own,
      isJSON: json)
    var bar = progress ? Progress(all: seeds.count) : nil
    let jobs = transcript ? 1 : self.jobs > 0 ? self.jobs : Hardware.usableProcessors
    var inFlight: [(run: Run, process: Int32)] = []
    var broken: (run: Run, end: Int)?
    for seed in seeds {
      if inFlight.count >= jobs { broken = end(&inFlight) }
      if broken != nil { break }
      bar?.show(Int(seed - seeds.lowerBound) - inFlight.count)
      let run = Run(
        parameters: RunParameters(seed: seed, own: own, minutes: minutes, daemons: daemons), tally: tally,
        steps: steps * (minutes ?? 1),
        isPrinted: transcript)
      inFlight.append((run, run.begin(only: only, isTold: !json)))
    }
    while !inFlight.isEmpty { broken = end(&inFlight) ?? broken }
    bar?.end()
    if let broken {
      let actions = shrink ? broken.run.shrink(from: only) : nil
      report.broken(broken.run.seed, Run.promise(of: broken.end), actions)
      throw ExitCode(1)
    }
    report.whole(seeds.count)
    if counts, !report.counts() { throw ExitCode(2) }
  }

  /// Waits for the run that began first.
  ///
  /// - Returns: The run and its end, if it broke a promise.
  private func end(_ inFlight: inout [(run: Run, process: Int32)]) -> (run: Run, end: Int)? {
    let first = inFlight.removeFirst()
    let end = first.run.end(first.process, isTold: !json)
    return end == 0 ? nil : (first.run, end)
  }

  private func own(_ path: String) throws -> OwnConfiguration {
    do {
      return try OwnConfiguration.read(path)
    } catch let error as ConfigurationError {
      if json {
        print(JSONValue.object([.init("problems", .array(error.problems.map { .string("\($0)") }))]).text)
      } else {
        LastWords.say("\(error)", .configuration)
      }
      throw ExitCode(StartupFailure.Status.configuration.rawValue)
    }
  }

  private static func range(_ text: String) -> ClosedRange<UInt64>? {
    let ends = text.split(separator: "-").compactMap { UInt64($0) }
    guard let first = ends.first, let last = ends.last, ends.count <= 2, first <= last, last - first < Self.most else {
      return nil
    }
    return first...last
  }
}

@main
enum Program {
  static func main() {
    // otherwise sets and dictionaries have a random order in each run
    simulated_fix_hashing(CommandLine.unsafeArgv)
    // the executors must be replaced before the first task
    _createExecutors(factory: SimulatedExecutors.self)
    Simulate.main()
  }
}
