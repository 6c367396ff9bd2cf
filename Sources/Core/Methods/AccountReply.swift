internal import JSONRPC
internal import Localization
internal import Registration

/// Writes an `Account` as callers see it: `{id, email, state, createdAt, updatedAt, groups, displayName?}`.
enum AccountReply {
  static let state = Schema.named("AccountState", .choice(Account.State.allCases.map(\.rawValue), ""))
  static let account = Schema.named(
    "Account",
    .object(
      .init("id", .uuid()), .init("email", .email()), .init("state", state), .init("createdAt", .time()),
      .init("updatedAt", .time()), .init("groups", groups), displayName))
  static let groups = Schema.array(GroupParameters.schema, "Sorted by name.")
  static let displayName = Schema.Member(
    "displayName", .string("The name by which the owner wants to be called."), required: false)
  static let schema = Schema.named("AccountResult", .object(.init("account", account)))
  /// The schema of an active account with a stamp (see `SessionStamps`), for a caller who has proven to be the
  /// account's owner.
  static let stamped = Schema.named(
    "StampedAccount", .object(.init("account", account), stamp(required: true)))

  static func stamp(required isRequired: Bool) -> Schema.Member {
    Schema.Member(
      "stamp",
      .string(
        "The stamp of this sign-in for session.check; it grants no rights, and is absent unless the account is active."
      ),
      required: isRequired)
  }

  /// The schema of the terms of use that the account's owner last accepted.
  static let accepted = Schema.Member(
    "terms", .named("AcceptedTerms", .object(.init("version", .string("")), .init("acceptedAt", .time()))),
    required: false)
  /// The schema of the terms of use that the account's owner has yet to accept.
  static let toAccept = Schema.Member(
    "terms",
    .named(
      "TermsToAccept",
      .object(
        .init("accepted", .string("The version that the owner accepted last; absent if none."), required: false),
        .init("current", .string("The version to accept.")),
        .init("url", .string("The address of the text; \"\" if none is configured."))
      )),
    required: false)

  /// - Parameter hasTerms: Whether the reply includes the terms of use that the owner has accepted.
  static func reply(_ account: Account, stamp: String? = nil, withTerms hasTerms: Bool = false) -> Reply {
    .object { writer in
      writer.name("account")
      write(account, to: &writer)
      if let stamp { writer.member("stamp", stamp) }
      if hasTerms { write(account.terms, to: &writer) }
    }
  }

  static func reply(_ account: Account, stamp: String?, toAccept terms: TermsOfUse) -> Reply {
    .object { writer in
      writer.name("account")
      write(account, to: &writer)
      if let stamp { writer.member("stamp", stamp) }
      writer.object("terms") { writer in
        if let accepted = account.terms { writer.member("accepted", accepted.version) }
        writer.member("current", terms.version)
        writer.member("url", terms.url)
      }
    }
  }

  /// - Parameters:
  ///   - language: The language of later mails, if it is kept.
  ///   - entries: Entries of the audit about the account.
  ///   - next: The number after which the remaining entries begin, or nil if no more entries remain.
  ///   - room: The reply ends after this many bytes, but has at least one entry, and the rest remains for the next page.
  static func reply(
    _ account: Account, language: String?, _ entries: [AuditEntry], next: Int?, room: Int
  ) -> Reply {
    .object { writer in
      var next = next
      writer.name("account")
      write(account, to: &writer)
      write(account.terms, to: &writer)
      if let language { writer.member("language", language) }
      writer.array("audit") { writer in
        for (index, entry) in entries.enumerated() {
          guard index == 0 || writer.count < room else {
            next = entries[index - 1].number
            break
          }
          EventReplies.write(entry, to: &writer)
        }
      }
      if let next { writer.member("next", next) }
    }
  }

  static func write(_ account: Account, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", account.id.description)
      writer.member("email", account.email.typed)
      writer.member("state", account.state.rawValue)
      writer.member("createdAt", account.createdAt.rfc3339)
      writer.member("updatedAt", account.updatedAt.rfc3339)
      write(account.groups, to: &writer)
      if let name = account.displayName { writer.member("displayName", name.text) }
    }
  }

  static func write(_ groups: Groups, as name: StaticString = "groups", to writer: inout JSONWriter) {
    write(groups.names, as: name, to: &writer)
  }

  static func write(_ names: [GroupName], as name: StaticString, to writer: inout JSONWriter) {
    writer.array(name) { writer in for name in names { writer.value(name.description) } }
  }
}

extension AccountReply {
  /// Writes the member `terms`, if the owner has accepted terms of use.
  static func write(_ terms: AcceptedTerms?, to writer: inout JSONWriter) {
    guard let terms else { return }
    writer.object("terms") { writer in
      writer.member("version", terms.version)
      writer.member("acceptedAt", terms.acceptedAt.rfc3339)
    }
  }
}

/// Writes the member `problems` of results and errors.
enum ProblemList {
  static let schema = Schema.array(
    .named(
      "Problem",
      .object(
        .init("field", .named("ProblemField", .choice(Problem.Field.allCases.map(\.rawValue), ""))),
        .init("reason", .named("ProblemReason", .choice(Problem.Reason.allCases.map(\.rawValue), ""))),
        .init("message", .string("A message for the end user, in the language of the call.")))), "All broken rules.")

  /// The problem as an element of an error's `problems`.
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
