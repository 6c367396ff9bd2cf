internal import CSimulation
internal import Synchronization

/// Everything observable about a run, line by line, with the simulated time, and a hash of all lines (FNV-1a).
final class Transcript: Sendable {
  static let only = Transcript()

  private struct State {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var lines: [String] = []
    var isKept = false
  }

  private let state = Mutex(State())

  /// Keeps the lines for `text`, and not only their hash.
  func keep() { state.withLock { $0.isKept = true } }

  func note(_ text: @autoclosure () -> String) {
    let line = "\(simulated_now() / 1000) \(text())\n"
    state.withLock { state in
      for byte in line.utf8 { state.hash = (state.hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      if state.isKept { state.lines.append(line) }
    }
  }

  var hash: UInt64 { state.withLock { $0.hash } }
  var text: String { state.withLock { $0.lines.joined() } }
}
