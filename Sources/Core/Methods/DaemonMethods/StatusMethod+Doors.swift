internal import JSONRPC
internal import LoginVerdicts

extension StatusMethod {
  static let doors = Schema.Member(
    "doors",
    .array(
      .object(
        [
          .init("name", .string("The name of the door in the configuration.")), .init("protocol", .string("")),
          .init("address", .string("The path or address on which the door listens.")),
          .init("connections", .integer("Open connections.")),
        ] + LoginVerdict.allCases.map { .init(name(of: $0), .integer("Logins with this verdict.")) }, ""),
      "Additional listeners."))

  static let heldSockets = Schema.Member(
    "heldSockets",
    .array(
      .object(
        [
          .init("name", .string("The name of the door for which it was passed in.")),
          .init("address", .string("The path or address on which the door listens.")),
        ], ""), "Sockets of doors that the configuration no longer has, where regd accepts nobody; absent if none."),
    required: false)

  private static func name(of verdict: LoginVerdict) -> StaticString {
    switch verdict {
    case .right: "right"
    case .wrong: "wrong"
    case .refused: "refused"
    case .away: "away"
    }
  }

  static func write(_ sockets: [StatusSources.HeldSocket], _ writer: inout JSONWriter) {
    guard !sockets.isEmpty else { return }
    writer.array("heldSockets") { writer in
      for socket in sockets {
        writer.object { writer in
          writer.member("name", socket.name)
          writer.member("address", socket.address)
        }
      }
    }
  }

  static func write(_ doors: [StatusSources.Door], _ writer: inout JSONWriter) {
    writer.array("doors") { writer in
      for door in doors {
        writer.object { writer in
          writer.member("name", door.name)
          writer.member("protocol", door.wire)
          writer.member("address", door.address)
          writer.member("connections", door.connections)
          for verdict in LoginVerdict.allCases { writer.member(name(of: verdict), door.verdicts(verdict)) }
        }
      }
    }
  }
}
