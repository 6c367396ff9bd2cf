internal import Reasons
internal import Registration
internal import WireFormats

/// HTTP on one connection: each request is one question, whatever its method and path, and no answer has a body (RFC
/// 9112).
///
/// The question is asked when head and body are whole. The bytes of a body are dropped as they arrive, so that a
/// connection holds no more than a head.
struct HTTPLoginProtocol: LoginProtocol {
  private var isTrusted: Bool
  private var search = HTTPHeadSearch()
  /// The request whose body has not arrived completely, and the number of bytes that are missing.
  private var begun: (request: HTTPRequest, rest: Int)?
  /// Whether the connection remains open after the answer to the question in flight.
  private var persistence = HTTPPersistence.closes

  /// - Parameter isTrusted: Whether the caller may name the client for which it asks (`X-Real-IP`, `X-Forwarded-For`).
  init(isTrusted: Bool) { self.isTrusted = isTrusted }

  var isMidMessage: Bool { begun != nil }

  mutating func adopt(_ new: HTTPLoginProtocol) { isTrusted = new.isTrusted }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received {
    if begun != nil { return skip(bytes.count) }
    switch search.next(bytes) {
    case .unfinished: return .unfinished
    case .tooLong: return .message(bytes.count, HTTPAnswer(.headTooLong).reply(.closes))
    case .found(let lines):
      search = HTTPHeadSearch()
      do throws(HTTPRefusal) {
        let request = try HTTPRequest(bytes[lines], isTrusted: isTrusted)
        guard request.bodyLength > 0 else { return .message(lines.upperBound, reply(request)) }
        begun = (request, request.bodyLength)
        return .part(lines.upperBound, request.awaitsContinue ? HTTPAnswer.goOn : [])
      } catch {
        // drops all bytes, because regd cannot tell where this request ends
        return .message(bytes.count, HTTPAnswer(error.status).reply(.closes))
      }
    }
  }

  private mutating func skip(_ arrived: Int) -> Received {
    guard let (request, rest) = begun else { return .unfinished }
    // the last byte of the body counts as the message, so that a request counts once however its bytes are split
    guard rest == 1 else {
      let taken = min(arrived, rest - 1)
      begun = (request, rest - taken)
      return .part(taken)
    }
    begun = nil
    return .message(1, reply(request))
  }

  private mutating func reply(_ request: HTTPRequest) -> Output {
    guard let login = request.login else { return HTTPAnswer.unauthorized.reply(request.persistence) }
    persistence = request.persistence
    return Output(asks: (0, .signIn(login)))
  }

  mutating func write(_ answer: DoorAnswer, to number: Int) -> Output {
    let words: HTTPAnswer
    switch answer {
    case .right(let account): words = .signedIn(account)
    case .wrong: words = .unauthorized
    case .refused(let reason): words = HTTPAnswer(.forbidden, [(HTTPAnswer.reason, reason.name)])
    case .away(let reason, let retryAfter):
      words = HTTPAnswer(
        .unavailable, [("Retry-After", String(max(1, retryAfter ?? 1))), (HTTPAnswer.reason, reason.name)])
    // this protocol never looks up an account
    case .found, .none, .ended, .groups: return .end
    }
    return words.reply(persistence)
  }
}

/// Finds the end of a request's head: an empty line. The lines are checked only when all have arrived, so that the same
/// bytes get the same answer however they are split. No byte is examined twice, however slowly the bytes arrive.
struct HTTPHeadSearch {
  /// The most bytes of a head, with the empty lines before and after it.
  static let longest = 16_384

  enum Step {
    case unfinished
    case tooLong
    /// The head's lines, including the empty one.
    case found(Range<Int>)
  }

  /// Where the head's lines begin: after one empty line, if there is one. Some clients send one after a body (RFC 9112
  /// §2.2).
  private var start = 0
  private var lineStart = 0
  private var searched = 0

  /// - Parameter bytes: All bytes from the request's first one, at least as many as in the previous call.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> Step {
    let reach = min(bytes.count, Self.longest)
    while let end = bytes[searched..<reach].firstIndex(of: HTTPSyntax.lineFeed) {
      let line = bytes[lineStart..<end]
      (lineStart, searched) = (end + 1, end + 1)
      guard line.isEmpty || line.elementsEqual([HTTPSyntax.carriageReturn]) else { continue }
      // Skips one leading empty line. A second empty line ends the head, which then is malformed.
      if start == 0, line.startIndex == 0, !line.isEmpty {
        start = lineStart
      } else {
        return .found(start..<lineStart)
      }
    }
    searched = reach
    return reach < Self.longest ? .unfinished : .tooLong
  }
}

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
