/// An error of a reply: `{code, message, data: {reason, retryable, …}}`.
package struct RPCError: Error, Equatable, Sendable {
  /// Its name and code.
  package var reason: ErrorReason
  /// One sentence for a person.
  package var message: String
  /// Whether the same request may succeed later without change.
  package var retryable: Bool
  /// Seconds to wait before a repeat, where known.
  package var retryAfter: Int?
  /// The member that was wrong.
  package var field: String?
  /// The limit that was passed.
  package var limit: Int?
  /// Whether the registration may have happened and is being looked after.
  package var pending: Bool?
  /// A JSON array of problems.
  package var problems: [UInt8]?
  /// How many more wrong codes a claim has.
  package var attemptsLeft: Int?

  package init(
    _ reason: ErrorReason, _ message: String, retryable: Bool = false, retryAfter: Int? = nil, field: String? = nil,
    limit: Int? = nil, pending: Bool? = nil, problems: [UInt8]? = nil
  ) {
    (self.reason, self.message, self.field, self.limit) = (reason, message, field, limit)
    (self.retryable, self.retryAfter, self.pending, self.problems) = (retryable, retryAfter, pending, problems)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("code", reason.code)
      writer.member("message", message)
      writer.object("data") { data in
        data.member("reason", reason.name)
        data.member("retryable", retryable)
        if let retryAfter { data.member("retryAfter", retryAfter) }
        if let field { data.member("field", field) }
        if let limit { data.member("limit", limit) }
        if let pending { data.member("pending", pending) }
        if let attemptsLeft { data.member("attemptsLeft", attemptsLeft) }
        if let problems {
          data.name("problems")
          data.raw(problems)
        }
      }
    }
  }
}
