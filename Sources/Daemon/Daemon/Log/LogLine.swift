internal import Linux
internal import Logging

/// How a line of the log looks: time, level, `regd:`, metadata by name, module, message.
enum LogLine {
  static let label = "regd"
  /// Bytes of one line; what is beyond them is cut off, for an upstream has a hand in some.
  static let longest = 8192

  /// Metadata that tells kinds of lines apart (`LogRepeats`): what happened, and to which user. What else there is,
  /// accounts and numbers above all, is different in each line.
  private static let marks: Set<String> = ["failure", "operation", "part", "status", "uid"]

  static func kind(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> LogRepeats.Kind {
    .init(level: level, message: message, marks: text(metadata.filter { marks.contains($0.key) }))
  }

  static func text(
    _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, source: String
  ) -> [UInt8] {
    let details = metadata.isEmpty ? "" : " \(text(metadata))"
    return line("\(timestamp()) \(level) \(label):\(details) [\(source)] \(message)")
  }

  /// The line for those that were held back.
  static func text(of sum: LogRepeats.Sum) -> [UInt8] {
    let marks = sum.kind.marks.isEmpty ? "" : " \(sum.kind.marks)"
    return line(
      "\(timestamp()) \(sum.kind.level) \(label):\(marks) [Daemon] \(sum.kind.message) … and \(sum.count) more like it in \(sum.seconds) s"
    )
  }

  /// The line for those that there was no room for.
  static func notice(missing count: Int) -> [UInt8] {
    let lines = count == 1 ? "1 line was" : "\(count) lines were"
    return line(
      "\(timestamp()) \(Logger.Level.warning) \(label): [Daemon] \(lines) dropped: nobody read standard error")
  }

  private static func text(_ metadata: Logger.Metadata) -> String {
    metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  /// One line whatever is in it: control characters are written out, so that nothing that came from elsewhere looks like a
  /// line of regd's own, or does anything to a terminal.
  private static func line(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for byte in text.utf8.prefix(longest) {
      if byte < 0x20 || byte == 0x7F {
        bytes += "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      } else {
        bytes.append(byte)
      }
    }
    if text.utf8.count > longest {
      // no half character stays
      while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
      if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
      bytes += "…".utf8
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The local time, with seconds and the offset.
  private static func timestamp() -> String { WallClock.localText ?? "<unknown>" }
}
