internal import Linux
internal import Logging
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

/// The format of log records, chosen by the kind of output.
enum LogFormat: Equatable, Sendable {
  /// One line per record: time, level, `regd:`, details by name, module, message.
  case lines
  /// For a person: the time of day, level, message, details.
  case terminal(isColored: Bool)
  /// Fields of the journal, one per line (systemd.journal-fields(7)). journald adds the time.
  case journal

  func bytes(of record: LogRecord) -> [UInt8] {
    switch self {
    case .lines: Self.line(record)
    case .terminal(let isColored): Self.terminalLine(record, isColored: isColored)
    case .journal: JournalFields.bytes(of: record)
    }
  }

  private static func line(_ record: LogRecord) -> [UInt8] {
    let details = record.all.isEmpty ? "" : " \(LogRecord.text(record.all))"
    return LogRecord.harmless(
      "\(WallClock.localText ?? "<unknown>") \(record.level) \(LogRecord.label):\(details) [\(record.source)] \(record.message)"
    ) + [UInt8(ascii: "\n")]
  }

  private static func terminalLine(_ record: LogRecord, isColored: Bool) -> [UInt8] {
    let name = record.level.rawValue.uppercased()
    let padding = String(repeating: " ", count: max(0, 8 - name.count))
    let (on, dim, off) = isColored ? ("\u{1B}[\(color(record.level))m", "\u{1B}[2m", "\u{1B}[0m") : ("", "", "")
    var line = Array("\(dim)\(WallClock.localTimeOfDay ?? "--:--:--")\(off) \(on)\(name)\(off)\(padding) ".utf8)
    line += LogRecord.harmless(record.message)
    if !record.all.isEmpty {
      line += "  \(dim)".utf8
      line += LogRecord.harmless(
        LogRecord.text(record.all), atMost: LogRecord.longest - min(LogRecord.longest, line.count))
      line += off.utf8
    }
    return line + [UInt8(ascii: "\n")]
  }

  /// The color's SGR parameter (ECMA-48).
  private static func color(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 2
    case .info: 32
    case .notice: 36
    case .warning: 33
    case .error, .critical: 31
    }
  }
}

/// Formats a record as fields of the journal. A detail's field is `REGD_` and its name in capitals: `REGD_METHOD`,
/// `REGD_ACCOUNT`.
enum JournalFields {
  /// The most bytes of one detail. `LogRecord.longest` limits the message, and all details together.
  private static let longestDetail = 1024

  /// The fields, one per line. No value contains a line feed.
  static func bytes(of record: LogRecord) -> [UInt8] {
    // the trace is in the fields only, to keep the message short
    let details = record.details.isEmpty ? "" : " (\(LogRecord.text(record.details)))"
    var bytes = field("MESSAGE", "\(record.message)\(details)", atMost: LogRecord.longest)
    bytes += field("PRIORITY", "\(priority(record.level))")
    bytes += field("SYSLOG_IDENTIFIER", LogRecord.label)
    if let id = record.id { bytes += field(LogRecord.idKey, id) }
    var room = LogRecord.longest
    for (name, value) in record.all.sorted(by: { $0.key < $1.key }) {
      let detail = field("REGD_\(upperCase(name))", "\(value)", atMost: longestDetail)
      guard detail.count <= room else { break }
      room -= detail.count
      bytes += detail
    }
    return bytes
  }

  private static func field(_ name: String, _ value: String, atMost limit: Int = longestDetail) -> [UInt8] {
    Array("\(name)=".utf8) + LogRecord.harmless(value, atMost: limit) + [UInt8(ascii: "\n")]
  }

  /// Spells "storePath" as STORE_PATH. A field's name may have only capitals, digits and underscores, at most 64.
  private static func upperCase(_ name: String) -> String {
    var text = ""
    for character in name.unicodeScalars {
      switch character {
      case "A"..."Z": text += "_\(character)"
      case "a"..."z": text += "\(character)".uppercased()
      case "0"..."9": text += "\(character)"
      default: text += "_"
      }
    }
    return String(text.prefix(59))
  }

  /// The priority number of syslog(3).
  static func priority(_ level: Logger.Level) -> Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}

/// Writes to a descriptor that may have no reader. Other processes may share it, so regd must not set O_NONBLOCK.
/// Instead it writes only as many bytes at once as a writable pipe accepts without waiting (pipe(7)).
enum StandardError {
  /// Writes all of `bytes`.
  ///
  /// - Parameter stalled: How long the descriptor may accept nothing, because no program reads, before the write is
  ///   given up. Nil means no limit.
  /// - Returns: Whether all was written. The result is false if no program reads in time, or the reader has gone.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32 = Descriptor.standardError.number, stalled: Duration?
  ) -> Bool {
    let output = Descriptor(borrowing: descriptor)
    var rest = bytes[...]
    while !rest.isEmpty {
      guard Polling.isReady(.writable(descriptor), atMost: stalled) else { return false }
      let written = rest.prefix(LogBacklog.mostAtOnce).withUnsafeBytes { bytes in
        Result { () throws(SystemError) in try output.write(bytes) }
      }
      switch written {
      case .success(0): return false
      case .success(let count): rest = rest.dropFirst(count)
      case .failure(let error): guard error.number == SystemError.wouldBlock else { return false }
      }
    }
    return true
  }
}
