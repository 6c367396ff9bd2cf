internal import Linux
internal import Systemd

/// Where records go, and in which form.
struct LogOutput: Sendable {
  let format: LogFormat
  /// - Returns: Whether all was taken.
  let write: @Sendable ([UInt8]) -> Bool

  /// The journal if `descriptor` leads there; else `descriptor`, as people or as programs read it.
  ///
  /// - Parameter descriptor: Standard error, but in tests. It stays the caller's.
  init(_ descriptor: Int32, environment: [String: String] = ThisProcess.environment) {
    if Journal.isBehind(descriptor, environment["JOURNAL_STREAM"]) {
      self.init(format: .journal) { Journal.send($0) }
    } else {
      let isTerminal = Descriptor(borrowing: descriptor).isTerminal
      let isColored = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
      self.init(format: isTerminal ? .terminal(isColored: isColored) : .lines) {
        StandardError.write($0, to: descriptor, stalled: nil)
      }
    }
  }

  init(format: LogFormat, write: @escaping @Sendable ([UInt8]) -> Bool) {
    self.format = format
    self.write = write
  }

  /// Bytes that are written at once: a pipe takes so many whole (`LogBacklog.mostAtOnce`), and the journal takes one record.
  var mostAtOnce: Int { format == .journal ? 0 : LogBacklog.mostAtOnce }

  /// How many records `bytes` are, which were given to `write` together.
  func records(in bytes: [UInt8]) -> Int { format == .journal ? 1 : bytes.count { $0 == UInt8(ascii: "\n") } }
}
