internal import ArgumentParser
internal import CSimulation
internal import Linux
@_spi(ExperimentalCustomExecutors) import _Concurrency

/// `regd-simulate`: plays lives of regd, each by a number.
struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regd-simulate",
    abstract: "Plays regd on one thread in a world that a seed decides, and holds it against its promises.",
    discussion: """
      The same seed of the same build is the same run, byte for byte. Exit status: 0 if every promise was kept, 1 if one was \
      broken, which is printed with the command that breaks it again.
      """)

  @Option(help: "The seeds to play: 7, or 1-100.")
  var seeds = "1"

  @Option(help: "The numbers of the actions to play, as a broken run prints them; all without it.")
  var only: String?

  @Flag(help: "Print all that can be seen of the run.")
  var transcript = false

  @Flag(help: "Print how often each promise and each fault was met; exit status 2 if one never was.")
  var counts = false

  @Flag(inversion: .prefixedNo, help: "Look for the few actions that suffice to break the promise again.")
  var shrink = true

  @Option(help: "Give up a run after so many steps.")
  var steps = 2_000_000

  @Option(help: "How many runs at once, each in a process; 0: one for each processor.")
  var jobs = 0

  @Flag(help: "Print the promises: name, article, sentence, with tabs between them.")
  var promises = false

  func run() throws {
    if promises {
      for promise in Promise.allCases { print("\(promise.name)\t\(promise.article)\t\(promise.sentence)") }
      return
    }
    guard let seeds = Self.range(seeds) else { throw ValidationError("--seeds: 7, or 1-100") }
    let only = only.map { $0.split(separator: ",").compactMap { Int($0) } }
    guard let tally = Tally(), simulated_limit_descriptors() else {
      throw ValidationError("the machine has no memory or descriptors")
    }
    let report = Report(tally: tally, from: simulated_real_time())
    let jobs = transcript ? 1 : self.jobs > 0 ? self.jobs : Hardware.usableProcessors
    var underWay: [(run: Run, process: Int32)] = []
    var broken: Run?
    for seed in seeds {
      if underWay.count >= jobs { broken = end(&underWay) }
      if broken != nil { break }
      let run = Run(seed: seed, tally: tally, steps: steps, isPrinted: transcript)
      underWay.append((run, run.begin(only: only, isTold: true)))
    }
    while !underWay.isEmpty { broken = end(&underWay) ?? broken }
    if let broken {
      if shrink { report.broken(broken.seed, broken.shrink(from: only)) }
      throw ExitCode(1)
    }
    report.whole(seeds.count)
    if counts, !report.counts() { throw ExitCode(2) }
  }

  /// - Returns: The run that began first, if it broke a promise.
  private func end(_ underWay: inout [(run: Run, process: Int32)]) -> Run? {
    let first = underWay.removeFirst()
    return first.run.end(first.process, isTold: true) == 0 ? nil : first.run
  }

  private static func range(_ text: String) -> ClosedRange<UInt64>? {
    let ends = text.split(separator: "-").compactMap { UInt64($0) }
    guard let first = ends.first, let last = ends.last, ends.count <= 2, first <= last else { return nil }
    return first...last
  }
}

@main
enum Program {
  static func main() {
    // otherwise sets and dictionaries have a random order
    simulated_fix_hashing(CommandLine.unsafeArgv)
    // before the first task
    _createExecutors(factory: SimulatedExecutors.self)
    Simulate.main()
  }
}
