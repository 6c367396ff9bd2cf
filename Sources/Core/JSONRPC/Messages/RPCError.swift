package import Localization
package import Reasons
internal import WireFormats
package import WireProtocols

/// The error of a reply: `{code, message, data: {reason, retryable, …}}`.
package struct RPCError: Error, Equatable, Sendable {
  /// The error's stable name and its code.
  package var reason: ErrorReason
  /// The message for a person. Its language is chosen when it is written.
  package var sentence: LocalizedMessage
  /// Whether the same request may succeed later without change.
  package var retryable: Bool
  /// Seconds to wait before a repeat, if known.
  package var retryAfter: Int?
  /// The name of the wrong param, if the error is about one.
  package var field: String?
  /// The limit that was exceeded, for example in bytes, seconds or requests, as `reason` says.
  package var limit: Int?
  /// Whether the upstream may have carried out the request although this call failed. regd finds out later.
  package var pending: Bool?
  /// All problems that were found, if there can be several.
  package var problems: [ErrorProblem]?
  /// If a code from a mail was wrong: how many more wrong codes are allowed.
  package var attemptsLeft: Int?
  /// The person's languages, as a list like `Accept-Language`. They count if the request names no languages.
  package var ranges: String?

  package init(
    _ reason: ErrorReason, _ sentence: LocalizedMessage, retryable: Bool = false, retryAfter: Int? = nil,
    field: String? = nil,
    limit: Int? = nil, pending: Bool? = nil, problems: [ErrorProblem]? = nil
  ) {
    (self.reason, self.sentence, self.field, self.limit) = (reason, sentence, field, limit)
    (self.retryable, self.retryAfter, self.pending, self.problems) = (retryable, retryAfter, pending, problems)
  }

  package func write(in language: Language, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("code", reason.code)
      writer.member("message", language.text(of: sentence))
      writer.object("data") { data in
        data.member("reason", reason.name)
        data.member("retryable", retryable)
        if let retryAfter { data.member("retryAfter", retryAfter) }
        if let field { data.member("field", field) }
        if let limit { data.member("limit", limit) }
        if let pending { data.member("pending", pending) }
        if let attemptsLeft { data.member("attemptsLeft", attemptsLeft) }
        if let problems { data.array("problems") { for problem in problems { problem.write(in: language, to: &$0) } } }
      }
    }
  }
}

extension RPCError {
  /// The error for a caller or a request that regd refuses, for every protocol.
  package init(_ refusal: Refusal) {
    switch refusal {
    case .connections(let limit):
      self = .full(LocalizedMessage(ServerMessageKey.connections, ["limit": .number(limit)]), limit)
    case .connectionsOfUser(let uid, let limit):
      self = .full(
        LocalizedMessage(ServerMessageKey.connectionsOfUser, ["limit": .number(limit), "uid": .number(Int(uid))]), limit
      )
    case .connectionsOfOthers(let uid, let count, let limit):
      self = .full(
        LocalizedMessage(
          ServerMessageKey.connectionsOfOthers,
          ["limit": .number(limit), "uid": .number(Int(uid)), "count": .number(count)]), limit)
    case .denied(let uid):
      self.init(.accessDenied, LocalizedMessage(AccessMessageKey.deniedUser, ["uid": .number(Int(uid))]))
    case .rate(let limit, let retryAfter):
      self.init(
        .rateLimited, LocalizedMessage(RateMessageKey.limited, ["limit": .number(limit)]), retryable: true,
        retryAfter: retryAfter, limit: limit)
    case .idle(let seconds):
      self.init(
        .requestTimeout, LocalizedMessage(RequestMessageKey.idle, ["seconds": .number(seconds)]), retryable: true,
        limit: seconds)
    case .draining: self = .draining
    }
  }

  private static func full(_ sentence: LocalizedMessage, _ limit: Int) -> RPCError {
    busy(sentence, retryAfter: 1, limit: limit)
  }
}

/// One of the problems that an error or a result lists: `{…, message}`.
package struct ErrorProblem: Equatable, Sendable {
  package struct Member: Equatable, Sendable {
    package let name: String
    package let text: String

    package init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
  }

  /// The members for programs, in this order.
  package let members: [Member]
  /// The text for a person: a message, which is translated, or a text, which is always English.
  package let message: LocalizedMessage.Content

  package init(_ members: [Member], _ message: LocalizedMessage.Content) {
    self.members = members
    self.message = message
  }

  package func write(in language: Language, to writer: inout JSONWriter) {
    writer.object { writer in
      for member in members {
        writer.name(member.name)
        writer.value(member.text)
      }
      switch message {
      case .text(let text): writer.member("message", text)
      case .number(let number): writer.member("message", "\(number)")
      case .sentence(let sentence): writer.member("message", language.text(of: sentence))
      }
    }
  }
}

/// The whole response to a client that speaks HTTP: status 400 (RFC 9110 §15.5.1), and how to call regd.
enum HTTPRefusal {
  static func text(in language: Language) -> String {
    let body = """
      \(language.text(of: LocalizedMessage(RPCMessageKey.http)))
      {"jsonrpc":"2.0","id":1,"method":"rpc.discover"}
      \(language.text(of: LocalizedMessage(RPCMessageKey.httpHeaders)))\n
      """
    return HTTPStatus.badRequest.head([
      ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", "\(body.utf8.count)"), ("Connection", "close"),
    ]) + body
  }
}
