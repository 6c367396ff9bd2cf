internal import JSONRPC
internal import LoginVerdicts
internal import Registration

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

  static let failingTasks = Schema.Member(
    "failingTasks",
    .array(
      .object(
        [
          .init("name", .string("The task: sweep, admissionCount, outbox or mail.")),
          .init("since", .time("When the first run after the last success failed.")),
          .init("failures", .integer("Runs that have failed since the last success.")),
          .init("reason", .string("Why the last run failed.")),
        ], ""), "Background tasks whose last run failed; absent if none."),
    required: false)

  static func write(_ tasks: [BackgroundHealth.Failing], _ writer: inout JSONWriter) {
    guard !tasks.isEmpty else { return }
    writer.array("failingTasks") { writer in
      for failing in tasks {
        writer.object { writer in
          writer.member("name", failing.task.rawValue)
          writer.member("since", failing.since.rfc3339)
          writer.member("failures", failing.failures)
          writer.member("reason", failing.reason)
        }
      }
    }
  }

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
