internal import Glibc
internal import Synchronization

private let caught = Atomic<Int32>(0)

/// A signal that asks to stop, for long work that has something to put right first. The second one ends the program at
/// once.
struct Interruption: Error {
  let signal: Int32

  /// From here on the signals are noted, and `check` says so.
  static func catchSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { caught.store($0, ordering: .relaxed) }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  static var hasCome: Bool { caught.load(ordering: .relaxed) != 0 }

  /// - Throws: An interruption, where one has come.
  static func check() throws(Interruption) {
    let number = caught.load(ordering: .relaxed)
    if number != 0 { throw Interruption(signal: number) }
  }

  /// Ends the program as the signal would have.
  func end() -> Never {
    Glibc.signal(signal, SIG_DFL)
    raise(signal)
    exit(128 + signal)
  }
}
