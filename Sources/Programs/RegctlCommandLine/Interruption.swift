package import Linux

/// A signal that asks the program to stop. Commands that must clean up before they end call `check` between steps. A
/// second signal ends the program at once.
package struct Interruption: Error {
  package let signal: Signal

  /// From now on, the first such signal is only recorded, for `check`.
  package static func catchSignals() { NotedSignal.listen(for: [.interrupt, .terminate, .hangUp], once: true) }

  package static var hasCome: Bool { NotedSignal.last != nil }

  /// - Throws: An interruption, if a signal has come.
  package static func check() throws(Interruption) {
    if let signal = NotedSignal.last { throw Interruption(signal: signal) }
  }

  /// Ends the program as the signal would have.
  package func end() -> Never {
    signal.takeEffect()
    ThisProcess.exit(128 + signal.rawValue)
  }
}
