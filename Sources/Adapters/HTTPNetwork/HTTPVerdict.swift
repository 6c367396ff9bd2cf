internal import JSONRPC
internal import Registration

/// The one table from replies to results. Nothing else in this module interprets a reply.
///
/// After a failure with `mayHaveActed` false, regd gives the registration up. Such a failure is therefore returned only
/// if the upstream has certainly not registered: nothing was sent to it, or the request was sent once and refused. If
/// libcurl sent the request twice, a refusal shows nothing about the first sending.
enum HTTPVerdict {
  static func availability(_ reply: UpstreamReply, now: Timestamp) -> Result<Bool, NetworkFailure> {
    judge(reply, now, successes: [200]) { AnswerBody.available(reply.body) }
  }

  static func registration(_ reply: UpstreamReply, now: Timestamp) -> Result<UpstreamAnswer, NetworkFailure> {
    // after two sendings, a 409 may only mean that the upstream still works on the first
    if reply.wasSent, reply.status == 409 { return reply.sendings > 1 ? .failure(.failed) : .success(.taken) }
    return judge(reply, now, successes: [200, 201]) { AnswerBody.id(reply.body).map { _ in .registered } }
  }

  static func session(_ reply: UpstreamReply, now: Timestamp) -> Result<UpstreamSession, NetworkFailure> {
    // a session request changes nothing, so a refusal of the second sending also holds for the first
    if reply.wasSent, reply.status == 401 { return .success(.rejected) }
    if reply.wasSent, let status = reply.status, refusals.contains(status) { return .success(.refused) }
    return judge(reply, now, successes: [200]) { AnswerBody.id(reply.body).map { .accepted(id: $0) } }
  }

  /// Forbidden, not found, gone, locked: this account allows no sign-in, with any password.
  private static let refusals: Set<Int> = [403, 404, 410, 423]

  private static func judge<Answer>(
    _ reply: UpstreamReply, _ now: Timestamp, successes: Set<Int>, _ answer: () -> Answer?
  ) -> Result<Answer, NetworkFailure> {
    guard reply.wasSent else { return .failure(failure(beforeSending: reply.end)) }
    if let status = reply.status, !successes.contains(status) {
      let failure = failure(ofStatus: status, RetryAfter.seconds(reply.retryAfter, now: now))
      return .failure(reply.sendings > 1 && !failure.mayHaveActed ? .failed : failure)
    }
    switch reply.end {
    case .whole where reply.status == nil: return .failure(.malformedResponse)
    case .whole:
      guard !AnswerBody.isBlank(reply.body) else { return .failure(.emptyResponse) }
      return answer().map { .success($0) } ?? .failure(.malformedResponse)
    case .outOfTime: return .failure(.timeout)
    case .notHTTP, .tooLong: return .failure(.malformedResponse)
    case .cutShort: return .failure(reply.status == nil ? .failed : .malformedResponse)
    // after a sending, TLS can only have failed on a second connection, so the first sending may have succeeded
    case .untrusted, .broken, .unstarted: return .failure(.failed)
    }
  }

  private static func failure(beforeSending end: TransferEnd) -> NetworkFailure {
    switch end {
    case .untrusted: .untrusted
    // A connection is usually free within a moment. If the upstream is slow, one second is as good as any guess.
    case .unstarted: .congested(retryAfterSeconds: 1)
    case .whole, .outOfTime, .notHTTP, .cutShort, .tooLong, .broken: .offline
    }
  }

  /// The failure for a status other than an expected success. The status decides, even if the body is broken.
  private static func failure(ofStatus status: Int, _ retryAfter: Int?) -> NetworkFailure {
    switch status {
    case 204: .emptyResponse
    // RFC 9110 section 15.5.9 and RFC 8470 section 5.2: the client may repeat the request
    case 408, 425: .tooEarly
    case 429: .throttled(retryAfterSeconds: retryAfter)
    case 400...499: .rejected
    case 503: .unavailable(retryAfterSeconds: retryAfter)
    case 500...599: .failed
    // redirects, other successes, invalid numbers: the upstream answered, but not as agreed
    default: .malformedResponse
    }
  }
}

extension UpstreamReply {
  /// Whether the upstream may have seen the request. An answer shows that it has.
  fileprivate var wasSent: Bool { sendings > 0 || status != nil }
}

/// Reads from an upstream's body the one member that regd uses, and ignores all others. Returns nil if the body is not
/// a JSON object, or the member is missing, repeated or of another type.
///
/// The other members may be anything that RFC 8259's grammar allows, because refusing them would leave a registration
/// pending that the upstream has answered. A byte order mark before the text is ignored (§8.1).
enum AnswerBody {
  /// Whether the body is empty or only JSON's white space (RFC 8259 §2).
  static func isBlank(_ body: [UInt8]) -> Bool { text(of: body).allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

  private static func text(of body: [UInt8]) -> ArraySlice<UInt8> {
    body.dropFirst(body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
  }

  static func available(_ body: [UInt8]) -> Bool? {
    member("available", of: body) { value in
      switch value.kind {
      case .true: true
      case .false: false
      default: nil
      }
    }
  }

  /// The member "id": a string, or a number as the upstream has written it. Nil if it is missing, empty or of another type.
  static func id(_ body: [UInt8]) -> String? {
    member("id", of: body) { value in
      switch value.kind {
      // an id with a lone surrogate is nil, because its replacement would be the id of others too
      case .string: value.utf8.flatMap { String(validating: $0, as: UTF8.self) }.flatMap { $0.isEmpty ? nil : $0 }
      case .number: String(decoding: value.source, as: UTF8.self)
      default: nil
      }
    }
  }

  private static func member<Value>(
    _ name: StaticString, of body: [UInt8], _ read: (JSONView) -> Value?
  ) -> Value? {
    var tape = JSONTape()
    let value = text(of: body).withUnsafeBytes { bytes in
      // reading does not recurse, so the body's size bounds the depth enough
      try? JSONDocument.read(bytes, maximumDepth: max(1, bytes.count), .whole, tape: &tape) { root in
        var found: [JSONView] = []
        root.forEachMember { candidate, value in
          if candidate.isString(name) { found.append(value) }
        }
        return found.count == 1 ? found.first.flatMap(read) : nil
      }
    }
    return value ?? nil
  }
}

/// A Retry-After header (RFC 9110 §10.2.3).
enum RetryAfter {
  /// A day: the longest wait that regd reports to a caller.
  static let maximum = 86_400

  /// - Returns: The seconds from now, not above `maximum`, or 0 for a date in the past. Returns nil without a header,
  ///   and for a value that is neither seconds nor a date.
  static func seconds(_ text: String?, now: Timestamp) -> Int? {
    guard let text, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return min(Int(text) ?? maximum, maximum) }
    guard let date = HTTPDate.read(text, now: now) else { return nil }
    // rounded up, because a caller that returns a moment early is refused again
    let seconds = (date.microseconds - now.microseconds + 999_999) / 1_000_000
    return Int(min(max(seconds, 0), Int64(maximum)))
  }
}

/// A date in HTTP (RFC 9110 §5.6.7): the preferred form, and the two obsolete forms that a recipient must still
/// accept.
///
/// Not parsed with curl_getdate(3), which also accepts fragments such as `Mon` and `12`.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  /// Reads a date. Returns nil if the text is not a date. The day of the week must exist, but need not fit the date.
  static func read(_ text: String, now: Timestamp) -> Timestamp? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT
    case 6 where days.map { $0 + "," }.contains(words[0]) && words[5] == "GMT" && words[1].utf8.count == 2:
      return time(year: words[3], month: words[2], day: words[1], clock: words[4])
    // Sunday, 06-Nov-94 08:49:37 GMT
    case 4 where longDays.map { $0 + "," }.contains(words[0]) && words[3] == "GMT":
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard date.count == 3, date.map(\.utf8.count) == [2, 3, 2], let year = fullYear(date[2], now) else { return nil }
      return time(year: year, month: date[1], day: date[0], clock: words[2])
    // Sun Nov  6 08:49:37 1994
    case 6 where days.contains(words[0]) && words[2].isEmpty && words[3].utf8.count == 1:
      return time(year: words[5], month: words[1], day: "0" + words[3], clock: words[4])
    case 5 where days.contains(words[0]) && words[2].utf8.count == 2:
      return time(year: words[4], month: words[1], day: words[2], clock: words[3])
    default: return nil
    }
  }

  private static func time(year: String, month: String, day: String, clock: String) -> Timestamp? {
    guard let number = months.firstIndex(of: month) else { return nil }
    let digits = number < 9 ? "0\(number + 1)" : "\(number + 1)"
    // Timestamp has no leap seconds: second 60 becomes second 59
    let clock = clock.hasSuffix(":60") ? clock.dropLast(2) + "59" : clock
    return Timestamp(rfc3339: "\(year)-\(digits)-\(day)T\(clock).000000Z")
  }

  /// Expands a two-digit year to the last year with this ending that is at most 50 years ahead (RFC 9110 §5.6.7).
  private static func fullYear(_ digits: String, _ now: Timestamp) -> String? {
    guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let ending = Int(digits),
      let current = Int(now.rfc3339.prefix(4))
    else { return nil }
    let latest = current + 50
    return String(latest - (latest - ending) % 100)
  }
}
