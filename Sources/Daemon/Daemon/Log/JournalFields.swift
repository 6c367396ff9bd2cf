internal import Logging

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
