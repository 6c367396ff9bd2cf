internal import JSONRPC
internal import Registration

/// `Account` as callers see it: `{id, email, state, createdAt, updatedAt}`.
enum AccountReply {
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
