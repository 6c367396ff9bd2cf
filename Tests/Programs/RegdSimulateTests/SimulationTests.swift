import Linux
import RegdProcesses
import TestKit
import Testing

/// Runs of regd-simulate that are short enough for `make test`. They use the program, because its clock and its random
/// numbers replace those of the C library.
@Suite("The simulator", .blocking, .timeLimit(.minutes(5)))
struct SimulationTests {
  private static let program = "\(Places.programs)/regd-simulate"
  /// Seeds that once broke a promise of regd or of the simulator, and the cause. Those below 1000, except 5 and 179,
  /// are older than mails, and still run without any (`AdmissionRules.isAsIs`). All are older than the search for erased
  /// addresses, and still run without it (`Scenario.hasErasure`).
  private static let kept = [
    2,  // two registrations of one batch, the first refused while the second looked
    5,  // a caller that connects while no other descriptor is free: a loop that does not sleep
    11,  // a power cut in the last drain
    29,  // a slow priority class
    108,  // an address that was deleted here, but is still registered upstream
    168,  // a caller that had hung up while its registrations were in progress
    179,  // a repeat of a registration with a verified and expired claim, reported as pending
    197,  // a sign-in that shared an answer from before the account was enabled
    596,  // a registration that was never sent to the upstream, and has another key the next time
    1424,  // a reload whose time limit passed while the machine slept
    1443,  // a reload whose configuration was being read when regd began to stop, refused as if it were wrong
    2758,  // a machine that slept while a mail was under way, and an equally long mail without an account
    15633,  // a kill between a commit's write and its sync, and then a power cut
    51580,  // a mail in progress whose account was deleted, and another mail to its address
    85652,  // a 409 from before the machine slept, accepted because of the time at which it was read
  ]

  /// - Returns: The exit status and the output. Each call has a separate directory, and must leave nothing in it.
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

  @Test("a program that is killed during a run leaves no files")
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

  @Test("the same seed gives the same run, byte for byte, in two directories")
  func same() throws {
    for seed in ["3", "14"] {
      let runs = try (0..<2).map { _ in try simulate("--seeds", seed, "--transcript") }
      #expect(runs[0].status == 0)
      #expect(runs[0].output.utf8.count > 10_000)
      #expect(runs[0].output == runs[1].output)
    }
  }

  @Test("several regd processes on one store also give the same run, and break no promise")
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

  @Test("another seed gives another run")
  func other() throws {
    let runs = try ["3", "4"].map { try simulate("--seeds", $0, "--transcript").output }
    #expect(runs[0] != runs[1])
  }

  @Test("no promise is broken in a few runs, or with the seeds that once broke one")
  func whole() throws {
    let seeds = ["1-10"] + Self.kept.map { "\($0)" }
    for seeds in seeds {
      let (status, output) = try simulate("--seeds", seeds)
      #expect(status == 0, "\(output)")
    }
  }

  @Test("accounts are added to groups and removed, and a few runs check who signs in as a member, with one regd or two")
  func groups() throws {
    for daemons in ["1", "2"] {
      let (_, output) = try simulate("--daemons", daemons, "--seeds", "1-10", "--counts")
      #expect(output.contains("every promise was kept"), "\(output)")
      #expect(output.contains(/membersOnly [1-9]/), "\(output)")
    }
  }

  @Test("a few runs search the disk for the addresses of removed accounts and of claims, and find none")
  func erasure() throws {
    let (_, output) = try simulate("--seeds", "1-10", "--counts")
    #expect(output.contains("every promise was kept"), "\(output)")
    #expect(output.contains(/erased [1-9]/), "\(output)")
    // several regd processes share rows in memory, so there is no disk to search
    let (_, several) = try simulate("--daemons", "2", "--seeds", "1", "--counts")
    #expect(several.contains("every promise was kept") && !several.contains(" erased "), "\(several)")
  }

  @Test("a run that breaks a promise reports the promise, its sentence in an article, and how to repeat the run")
  func broken() throws {
    // a run that is given up has answered no caller
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

  @Test("regd and regctl contain nothing of the simulator", arguments: ["regd", "regctl"])
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
