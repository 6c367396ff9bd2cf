internal import Linux
internal import Systemd

/// The destination of log records, and their format.
struct LogOutput: Sendable {
  let format: LogFormat
  /// Writes bytes, and returns whether all were accepted.
  let write: @Sendable ([UInt8]) -> Bool

  /// Writes to the journal if `descriptor` leads there. Otherwise writes to `descriptor`, formatted for people if it is
  /// a terminal, else for programs.
  ///
  /// - Parameter descriptor: Standard error, or another descriptor in tests. The caller keeps it.
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

  /// The most bytes of lines that are written at once: as many as a pipe accepts completely (`LogBacklog.mostAtOnce`). It is
  /// 0 for the journal, which accepts one record at a time.
  var mostAtOnce: Int { format == .journal ? 0 : LogBacklog.mostAtOnce }

  /// The number of records in `bytes`, which one call of `write` got.
  func records(in bytes: [UInt8]) -> Int { format == .journal ? 1 : bytes.count { $0 == UInt8(ascii: "\n") } }
}
