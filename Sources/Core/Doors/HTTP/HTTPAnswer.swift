internal import Registration
internal import WireFormats

/// An answer: no body, and no `Date`, because a protocol has no clock.
struct HTTPAnswer {
  /// The name of the header field that tells regd's reason.
  static let reason = "X-Regd-Reason"

  static let unauthorized = HTTPAnswer(
    .unauthorized, [("WWW-Authenticate", "Basic realm=\"regd\", charset=\"UTF-8\"")])

  /// The answer to a right password, with what proxies pass on about the account. A field without a value is absent.
  static func signedIn(_ account: DoorAccount) -> HTTPAnswer {
    let fields: [(name: String, value: String)] = [
      ("Remote-User", account.name), ("Remote-Email", account.email), ("Remote-Groups", account.groupList),
      // programs disagree about the encoding of a header's bytes beyond ASCII, and names often have some
      ("Remote-Name", HTTPSyntax.percentEncoded(account.displayName?.text ?? "")),
    ]
    return HTTPAnswer(.ok, fields.filter { !$0.value.isEmpty })
  }

  /// Tells a client to send the body that it has held back.
  static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private let status: HTTPStatus
  private let fields: [(name: String, value: String)]

  /// - Parameter fields: Fields besides those of every answer. If a value has a character that could end a field, the
  ///   answer is that regd cannot decide, because a proxy would read the rest of the value as a separate field.
  init(_ status: HTTPStatus, _ fields: [(name: String, value: String)] = []) {
    let isSound = fields.allSatisfy { $0.value.utf8.allSatisfy(HTTPSyntax.isOfText) }
    (self.status, self.fields) = isSound ? (status, fields) : (.unavailable, [("Retry-After", "1")])
  }

  func reply(_ persistence: HTTPPersistence) -> Output {
    var fields: [(name: String, value: String)] = [("Content-Length", "0"), ("Cache-Control", "no-store")] + fields
    switch persistence {
    case .stays: break
    case .staysByRequest: fields.append(("Connection", "keep-alive"))
    case .closes: fields.append(("Connection", "close"))
    }
    return .text(status.head(fields), ends: persistence == .closes)
  }
}

/// Whether a connection remains open after an answer (RFC 9112 §9.3).
enum HTTPPersistence {
  /// The connection remains open, as usual in HTTP/1.1.
  case stays
  /// The connection remains open because a client of HTTP/1.0 asked for that. The answer must confirm it.
  case staysByRequest
  case closes
}
