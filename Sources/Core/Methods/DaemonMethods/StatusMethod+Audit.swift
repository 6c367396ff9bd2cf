internal import JSONRPC
internal import Registration

extension StatusMethod {
  static let audit = Schema.Member(
    "audit",
    .object(
      [
        .init("size", .integer("Entries in the tree of the audit.")),
        .init("headAt", .time("When a head was last read, to the minute; absent if never."), required: false),
      ], "The latest count; absent before the first one."), required: false)

  static func write(_ audit: AuditState, _ writer: inout JSONWriter) {
    writer.object("audit") { writer in
      writer.member("size", audit.size)
      if let time = audit.headAt { writer.member("headAt", time.rfc3339) }
    }
  }
}
