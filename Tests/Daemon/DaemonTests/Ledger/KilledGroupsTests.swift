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

  @Test("after a kill, every acknowledged change is there once, and no page omits an entry", arguments: Rounds.seeds(1))
  func killed(_ seed: Int) throws {
    let settings = [
      "REGD_STORE_BACKEND": "sqlite", "REGD_LOG_LEVEL": "info", "SLOW_SYNC_MICROSECONDS": "1000",
      "LD_PRELOAD": "\(Places.products)/libslow-sync.so",
    ]
    try withRegd(settings) { regd in
      let ledger = try ChangeLedger(sockets: [regd.socket], callers: 16, accounts: nil, seed: seed)
      var random = SeededGenerator(seed: UInt64(seed))
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
      }
    }
  }
}
