internal import JSONRPC
internal import Registration

/// `Account` as callers see it: `{id, email, state, createdAt, updatedAt}`.
enum AccountReply {
  static let schema = Schema.object(
    [
      .init(
        "account",
        .object(
          [
            .init("id", .string("A UUID.")), .init("email", .string("As it was typed.")),
            .init("state", .choice(Account.State.allCases.map(\.rawValue), "")),
            .init("createdAt", .string("RFC 3339, UTC.")), .init("updatedAt", .string("RFC 3339, UTC.")),
          ], ""))
    ], "")

  static func reply(_ account: Account) -> Reply {
    .object { writer in
      writer.member(
        "account",
        object: { writer in
          writer.member("id", account.id.description)
          writer.member("email", account.email.typed)
          writer.member("state", account.state.rawValue)
          writer.member("createdAt", account.createdAt.rfc3339)
          writer.member("updatedAt", account.updatedAt.rfc3339)
        })
    }
  }
}

/// `problems`, as results and errors have it.
enum ProblemList {
  static let schema = Schema.array(
    .object(
      [
        .init("field", .choice(["email", "password", "passwordConfirmation"], "")),
        .init("reason", .choice(Problem.Reason.allCases.map(\.rawValue), "")),
        .init("message", .string("A sentence for a person.")),
      ], ""), "Every rule that is broken.")

  static func text(_ problems: [Problem]) -> [UInt8] {
    var writer = JSONWriter()
    write(problems, to: &writer)
    return writer.bytes
  }

  static func write(_ problems: [Problem], to writer: inout JSONWriter) {
    writer.array { writer in
      for problem in problems {
        writer.object { writer in
          writer.member("field", problem.field.rawValue)
          writer.member("reason", problem.reason.rawValue)
          writer.member("message", problem.message)
        }
      }
    }
  }
}
