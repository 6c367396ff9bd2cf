internal import JSONRPC
internal import Registration
internal import Sentences

/// `Account` as callers see it: `{id, email, state, createdAt, updatedAt}`.
enum AccountReply {
  static let account = Schema.object(
    .init("id", .string("A UUID.")), .init("email", .string("As it was typed.")),
    .init("state", .choice(Account.State.allCases.map(\.rawValue), "")),
    .init("createdAt", .string("RFC 3339, UTC.")), .init("updatedAt", .string("RFC 3339, UTC.")))
  static let schema = Schema.object(.init("account", account))

  static func reply(_ account: Account) -> Reply {
    .object { writer in
      writer.name("account")
      write(account, to: &writer)
    }
  }

  /// - Parameter entries: Of the audit.
  static func reply(_ account: Account, _ entries: [AuditEntry]) -> Reply {
    .object { writer in
      writer.name("account")
      write(account, to: &writer)
      writer.array("audit") { writer in
        for entry in entries { EventReplies.write(entry, to: &writer) }
      }
    }
  }

  static func write(_ account: Account, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", account.id.description)
      writer.member("email", account.email.typed)
      writer.member("state", account.state.rawValue)
      writer.member("createdAt", account.createdAt.rfc3339)
      writer.member("updatedAt", account.updatedAt.rfc3339)
    }
  }
}

/// The member `problems` of results and errors.
enum ProblemList {
  static let schema = Schema.array(
    .object(
      .init("field", .choice(Problem.Field.allCases.map(\.rawValue), "")),
      .init("reason", .choice(Problem.Reason.allCases.map(\.rawValue), "")),
      .init("message", .string("A sentence for a person."))), "Every rule that is broken.")

  /// A problem in the form of an error's list.
  static func listed(_ problem: Problem) -> ErrorProblem {
    ErrorProblem(
      [.init("field", problem.field.rawValue), .init("reason", problem.reason.rawValue)], .sentence(problem.sentence))
  }

  /// - Parameter language: Evaluated only if there is a problem.
  static func write(_ problems: [Problem], in language: @autoclosure () -> Language, to writer: inout JSONWriter) {
    guard !problems.isEmpty else { return writer.array { _ in } }
    let language = language()
    writer.array { writer in
      for problem in problems {
        writer.object { writer in
          writer.member("field", problem.field.rawValue)
          writer.member("reason", problem.reason.rawValue)
          writer.member("message", language.text(of: problem.sentence))
        }
      }
    }
  }
}
