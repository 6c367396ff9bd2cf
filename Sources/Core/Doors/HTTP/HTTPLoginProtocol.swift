internal import Reasons
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
