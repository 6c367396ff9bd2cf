internal import Linux
internal import Localization
internal import Logging

/// One record of the log, not formatted yet.
struct LogRecord: Sendable {
  let level: Logger.Level
  let message: String
  /// `LogMessage.id`, or nil for a line that is not a `LogMessage`.
  let id: String?
  /// The details, which vary from line to line, by name.
  let details: Logger.Metadata
  /// Identifies the request or other work that the line belongs to (`Trace`).
  let trace: Logger.Metadata
  /// The module that logs the line.
  let source: String

  /// The metadata key of a line's id, which is not a detail.
  static let idKey = "MESSAGE_ID"
  static let label = "regd"
  /// The most bytes of one record. The rest is cut off, because an upstream influences some records.
  static let longest = 8192

  /// The metadata by which kinds of lines are distinguished (`LogRepeats`): what happened, and to which user. The other
  /// metadata, such as accounts and numbers, differs in each line.
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

  /// Makes the record that represents the held-back lines of one kind.
  init(of sum: LogRepeats.Sum) {
    let marks = sum.kind.marks.isEmpty ? "" : " (\(sum.kind.marks))"
    let mostly = sum.mostly.map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
    self.init(
      sum.kind.level,
      "\(sum.kind.message)\(marks) … and \(sum.count) more like it in \(sum.seconds) s"
        + (mostly.isEmpty ? "" : ", most of them for \(mostly)"),
      sum.kind.id.map { [Self.idKey: "\($0)"] } ?? [:], source: "Daemon")
  }

  /// Makes the record that reports how many lines were dropped for lack of room.
  init(missing count: Int) {
    let lines = count == 1 ? "1 line was" : "\(count) lines were"
    self.init(.linesDropped, "\(LogMessage.linesDropped.text): \(lines) more than their reader took in time")
  }

  var kind: LogRepeats.Kind {
    let marks = all.filter { Self.marks.contains($0.key) }
    return LogRepeats.Kind(level: level, message: message, marks: Self.text(marks), id: id, isShared: isShared)
  }

  /// Whether lines of this kind have one limit per uid, which all its origins (users whom a front end names) share.
  private var isShared: Bool { id == LogMessage.attemptRefused.id }

  /// The origin whose limit a line of a shared kind counts against, or nil if the line has no origin.
  var sharer: String? { isShared ? details["origin"].map { "\($0)" } : nil }

  /// Details and trace together.
  var all: Logger.Metadata { trace.isEmpty ? details : details.merging(trace) { mine, _ in mine } }

  static func text(_ metadata: Logger.Metadata) -> String {
    metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// Makes a text of one line, of at most about `limit` bytes, from any text, so that foreign text can neither look like one of
  /// regd's lines nor control a terminal.
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
