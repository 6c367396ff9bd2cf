internal import JSONRPC

extension StatusMethod {
  static let admission = Schema.Member(
    "registration",
    .object(
      [
        .init("waiting", .integer("Accounts that wait for an administrator.")),
        .init("invitations", .integer("Invitations that can still be used.")),
      ], "The latest counts; absent unless invitations or approval are in force."), required: false)

  static func write(_ admission: StatusSources.Admission, _ writer: inout JSONWriter) {
    writer.object("registration") { writer in
      writer.member("waiting", admission.waiting)
      writer.member("invitations", admission.invitations)
    }
  }
}
