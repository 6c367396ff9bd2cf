internal import Linux
internal import Logging

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
