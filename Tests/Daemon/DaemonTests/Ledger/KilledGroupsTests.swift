import Glibc
import Linux
import RegdProcesses
import StoreModels
import TestDoubles
import TestKit
import Testing

/// A sync takes a millisecond longer, so that callers share commits, and kills occur in the middle of them.
@Suite("Kills while callers share commits, on SQLite", .blocking, .timeLimit(.minutes(10)))
struct KilledGroupsTests {
  private static let kills = 3

  @Test(
    "after a kill, every acknowledged change is there once, no page omits an entry, and the audit fits earlier heads",
    arguments: Rounds.seeds(1))
  func killed(_ seed: Int) throws {
    let settings = [
      "REGD_STORE_BACKEND": "sqlite", "REGD_LOG_LEVEL": "info", "SLOW_SYNC_MICROSECONDS": "1000",
      "LD_PRELOAD": "\(Places.products)/libslow-sync.so",
    ]
    try withRegd(settings) { regd in
      let ledger = try ChangeLedger(sockets: [regd.socket], callers: 16, accounts: nil, seed: seed)
      var random = SeededGenerator(seed: UInt64(seed))
      try audit(regd, "head", "--append", "\(regd.directory)/heads")
      for _ in 0..<Self.kills {
        let (pid, microseconds) = (regd.process.pid, Int.random(in: 0...3000, using: &random))
        try ledger.runHere(whenAcknowledged: Int.random(in: 1...100, using: &random)) {
          // A reply arrives at the end of a group, and the kill at any moment after it.
          ThisThread.sleep(for: .microseconds(microseconds))
          Signal.kill.send(to: pid)
        }
        try regd.restart(after: SIGKILL)
        let problems = try ledger.problems(at: regd.socket)
        #expect(problems.isEmpty, "\(problems.count), at first: \(problems.prefix(5).joined(separator: "\n"))")
        try audit(regd, "verify", "--heads", "\(regd.directory)/heads")
        try audit(regd, "head", "--append", "\(regd.directory)/heads")
      }
    }
  }

  /// Runs a command of `regctl audit`, which must succeed.
  private func audit(_ regd: RunningRegd, _ arguments: String...) throws {
    let (status, output) = try RegdProcess.run(
      program: Places.regctl, arguments: ["audit"] + arguments, environment: ["REGD_SOCKET_PATH": regd.socket],
      directory: regd.directory)
    #expect(status == 0, "\(output)")
  }
}
