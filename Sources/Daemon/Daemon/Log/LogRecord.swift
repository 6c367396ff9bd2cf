internal import Linux
internal import Logging
internal import Sentences

/// One record of the log, before it has the form that its reader wants.
struct LogRecord: Sendable {
  let level: Logger.Level
  let message: String
  /// `LogMessage.id`; nil for a line that no table has.
  let id: String?
  /// What differs from line to line, by name.
  let details: Logger.Metadata
  /// What the line's work is known by (`Trace`).
  let trace: Logger.Metadata
  /// The module that says it.
  let source: String

  /// The metadata that has the id of a line; it is no detail.
  static let idKey = "MESSAGE_ID"
  static let label = "regd"
  /// Bytes of one record; what is beyond them is cut off, for an upstream has a hand in some.
  static let longest = 8192

  /// Metadata that tells kinds of lines apart (`LogRepeats`): what happened, and to which user. What else there is,
  /// accounts and numbers above all, is different in each line.
  private static let marks: Set<String> = ["failure", "operation", "part", "reason", "status", "uid"]

  init(
    _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, trace: Logger.Metadata = [:], source: String
  ) {
    self.level = level
    self.message = message
    self.source = source
    var details = metadata
    id = details.removeValue(forKey: Self.idKey).map { "\($0)" }
    self.details = details
    self.trace = trace.isEmpty ? [:] : trace.filter { details[$0.key] == nil }
  }

  init(_ message: LogMessage, _ text: String? = nil, _ details: Logger.Metadata = [:]) {
    self.init(
      message.level, text ?? message.text, details.merging([Self.idKey: "\(message.id)"]) { $1 }, source: "Daemon")
  }

  /// The record of those that were held back.
  init(of sum: LogRepeats.Sum) {
    let marks = sum.kind.marks.isEmpty ? "" : " (\(sum.kind.marks))"
    let mostly = sum.mostly.map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
    self.init(
      sum.kind.level,
      "\(sum.kind.message)\(marks) … and \(sum.count) more like it in \(sum.seconds) s"
        + (mostly.isEmpty ? "" : ", most of them for \(mostly)"),
      sum.kind.id.map { [Self.idKey: "\($0)"] } ?? [:], source: "Daemon")
  }

  /// The record of those that there was no room for.
  init(missing count: Int) {
    let lines = count == 1 ? "1 line was" : "\(count) lines were"
    self.init(.linesDropped, "\(LogMessage.linesDropped.text): \(lines) more than their reader took in time")
  }

  var kind: LogRepeats.Kind {
    let marks = all.filter { Self.marks.contains($0.key) }
    return LogRepeats.Kind(level: level, message: message, marks: Self.text(marks), id: id, isShared: isShared)
  }

  /// Whether a user's origins share what is written of its kind.
  private var isShared: Bool { id == LogMessage.attemptRefused.id }

  /// Whom the line is charged to among those who share; nil where it has no origin.
  var sharer: String? { isShared ? details["origin"].map { "\($0)" } : nil }

  /// Details and trace.
  var all: Logger.Metadata { trace.isEmpty ? details : details.merging(trace) { mine, _ in mine } }

  static func text(_ metadata: Logger.Metadata) -> String {
    metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// A text of one line, whatever is in it, of about `limit` bytes at the most: nothing that came from elsewhere looks like a line of
  /// regd's own, or does anything to a terminal.
  static func harmless(_ text: String, atMost limit: Int = longest) -> [UInt8] {
    var bytes: [UInt8] = []
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= limit else {
        bytes += "…".utf8
        break
      }
      if let escape = HarmlessText.escape(of: scalar) {
        bytes += escape.utf8
      } else {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return bytes
  }
}
