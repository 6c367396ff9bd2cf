internal import Logging

/// A record as fields of the journal. Details are `REGD_` and their name in capitals: `REGD_METHOD`, `REGD_ACCOUNT`.
enum JournalFields {
  /// Bytes of one detail. `LogRecord.longest` bounds the message, and all details together.
  private static let longestDetail = 1024

  /// The fields, a line each; no value has a line feed.
  static func bytes(of record: LogRecord) -> [UInt8] {
    // what the trace adds stands in fields only: a reader of messages wants to know what happened
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

  /// "storePath" as STORE_PATH. A field's name has capitals, digits and underscores only, at most 64.
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

  /// As syslog(3) counts.
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
