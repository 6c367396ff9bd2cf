import Linux
import RegdProcesses
import TestKit
import Testing

/// What regd-simulate plays, short enough for `make test`. It is asked as a program: its clock and its chance go before the C library's.
@Suite("The simulator", .blocking, .timeLimit(.minutes(5)))
struct SimulationTests {
  private static let program = "\(Places.programs)/regd-simulate"
  /// Seeds that once broke a promise, of regd or of the simulator, and what for. Those below 1000 but 5 and 179 are from before there
  /// were mails, and play without any (`House.isAsIs`), as they did.
  private static let kept = [
    2,  // two registrations of one batch, the first refused while the second looked
    5,  // a caller that comes while there is no descriptor for another one: a loop that does not sleep
    11,  // a power cut in the last drain
    29,  // a slow lane
    108,  // an address that was deleted here, and still is registered upstream
    168,  // a caller that had hung up, and whose registrations were still under way
    179,  // a registration whose claim was proven and has expired, repeated and told as pending
    197,  // a sign-in that shared the answer of one from before the account was enabled
    596,  // a registration that the upstream was never sent, and that has another key the next time
    2758,  // a machine that slept while a mail was under way, and a mail to nobody that took as long
    15633,  // a kill between a commit's write and its sync, and then a power cut
    51580,  // a mail under way whose account was deleted, and another one to its address
    85652,  // a 409 that a machine has slept through, believed by the time of its reading
  ]

  /// - Returns: The exit status, and what was printed; each call has a directory of its own, in which nothing is left.
  private func simulate(_ arguments: String...) throws -> (status: Int32, output: String) {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    try Program.run(["mkdir", "places"], in: directory)
    let program = try Program.start(["env", "TMPDIR=\(directory)/places", Self.program] + arguments, in: directory)
    let output = program.read()
    let status = program.wait() >> 8
    try Program.run(["rmdir", "places"], in: directory)
    return (status, output)
  }

  @Test("of a program that is killed in the middle of a run no file is left")
  func killed() throws {
    try TemporaryDirectory.with { directory in
      // cat reads until the last process of the program has ended
      _ = try Program.run(
        [
          "bash", "-c",
          """
          mkdir places
          { TMPDIR=$PWD/places "$0" --daemons 2 --seeds 1-100000 --transcript 2>&1 & echo $!; } |
            { read -r program; read -r line; kill -9 $program; cat >rest; }
          rmdir places && [ -s rest ]
          """, Self.program,
        ], in: directory)
    }
  }

  @Test("the same seed is the same run, byte for byte, in two directories")
  func same() throws {
    for seed in ["3", "14"] {
      let runs = try (0..<2).map { _ in try simulate("--seeds", seed, "--transcript") }
      #expect(runs[0].status == 0)
      #expect(runs[0].output.utf8.count > 10_000)
      #expect(runs[0].output == runs[1].output)
    }
  }

  @Test("several regd on one store are the same run too, and break no promise")
  func several() throws {
    let runs = try (0..<2).map { _ in try simulate("--daemons", "3", "--seeds", "2", "--transcript") }
    #expect(runs[0].status == 0)
    #expect(runs[0].output.contains("regd\":\"simulated2\"") && runs[0].output == runs[1].output)
    // 1272: a registration that another regd's upstream rejected while a repeat of it was accepted
    // 1398: two repeats at once, the first of which was released after the second had looked
    for (daemons, seeds) in [("2", "1-4"), ("3", "1272"), ("4", "1398")] {
      let (status, output) = try simulate("--daemons", daemons, "--seeds", seeds)
      #expect(status == 0, "\(output)")
    }
  }

  @Test("another seed is another run")
  func other() throws {
    let runs = try ["3", "4"].map { try simulate("--seeds", $0, "--transcript").output }
    #expect(runs[0] != runs[1])
  }

  @Test("no promise is broken in a few runs, nor in those that once broke one")
  func whole() throws {
    let seeds = ["1-10"] + Self.kept.map { "\($0)" }
    for seeds in seeds {
      let (status, output) = try simulate("--seeds", seeds)
      #expect(status == 0, "\(output)")
    }
  }

  @Test("a run that breaks a promise says which, in whose words, and how to break it again")
  func broken() throws {
    // a run that is given up has answered nobody
    let (status, output) = try simulate("--seeds", "7", "--steps", "50", "--no-shrink")
    #expect(status == 1)
    #expect(output.contains("seed 7: inTime is broken: nothing came to an end in 50 steps"))
    #expect(output.contains("Limits.md: | `requestSeconds` | 30 |"))
    let shrunk = try simulate("--seeds", "7", "--steps", "50").output
    #expect(shrunk.contains("regd-simulate --seeds 7 --only "))
  }

  @Test("each promise is a sentence of an article")
  func sentences() throws {
    let lines = try simulate("--promises").output.split(separator: "\n")
    #expect(lines.count >= 30)
    for line in lines {
      let parts = line.split(separator: "\t").map(String.init)
      try #require(parts.count == 3, "\(line)")
      let text = try #require(Article.file(parts[1]), "\(parts[1])")
      #expect(text.replacing(/\s+/, with: " ").contains(parts[2]), "\(parts[0]): \(parts[2])")
    }
  }

  @Test("regd and regctl have nothing of the simulator", arguments: ["regd", "regctl"])
  func apart(program: String) throws {
    let directory = try TemporaryDirectory.make()
    defer { FileSystem.removeDirectory(directory) }
    let (own, installed) = (Self.program, "\(Places.programs)/\(program)")
    try Program.run(["grep", "-q", "simulated_begin", own], in: directory)
    #expect(throws: ProgramFailure.self) {
      try Program.run(["grep", "-q", "simulated_begin", installed], in: directory)
    }
  }
}
