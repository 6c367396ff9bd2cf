internal import JSONRPC

extension StatusMethod {
  static let doors = Schema.Member(
    "doors",
    .array(
      .object(
        [
          .init("name", .string("As the configuration names it.")), .init("protocol", .string("")),
          .init("address", .string("Where it listens.")), .init("connections", .integer("Open now.")),
        ], ""), "Listening points besides regd's own socket."))

  static func write(_ doors: [StatusSources.Door], _ writer: inout JSONWriter) {
    writer.array("doors") { writer in
      for door in doors {
        writer.object { writer in
          writer.member("name", door.name)
          writer.member("protocol", door.wire)
          writer.member("address", door.address)
          writer.member("connections", door.connections)
        }
      }
    }
  }
}
