internal import Linux

/// A signal that asks to stop, for long work that has something to put right first. The second one ends the program at
/// once.
struct Interruption: Error {
  let signal: Signal

  /// From here on the signals are noted, and `check` says so.
  static func catchSignals() { NotedSignal.listen(for: [.interrupt, .terminate, .hangUp], once: true) }

  static var hasCome: Bool { NotedSignal.last != nil }

  /// - Throws: An interruption, where one has come.
  static func check() throws(Interruption) {
    if let signal = NotedSignal.last { throw Interruption(signal: signal) }
  }

  /// Ends the program as the signal would have.
  func end() -> Never {
    signal.takeEffect()
    ThisProcess.exit(128 + signal.rawValue)
  }
}
