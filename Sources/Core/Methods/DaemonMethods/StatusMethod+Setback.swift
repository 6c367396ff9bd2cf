internal import JSONRPC
internal import Registration

extension StatusMethod {
  static let wentBack = Schema.Member(
    "wentBack",
    .object(
      [
        .init("timeline", .integer("The timeline of the database's server.")),
        .init("entry", .integer("The number of the database's last audit entry; 0 if there is none.")),
        .init("seenTimeline", .integer("The timeline that regd has seen.")),
        .init("seenEntry", .integer("The latest audit entry that regd has seen; 0 if there is none.")),
      ], "Present if the database has gone back to an earlier state; regd does not use it then."), required: false)

  static func write(_ setback: StoreSetback, _ writer: inout JSONWriter) {
    writer.object("wentBack") { writer in
      writer.member("timeline", setback.offered.timeline)
      writer.member("entry", setback.offered.entry)
      writer.member("seenTimeline", setback.seen.timeline)
      writer.member("seenEntry", setback.seen.entry)
    }
  }
}
