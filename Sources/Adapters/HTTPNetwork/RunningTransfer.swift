internal import CCurl
internal import CurlTransfers

/// A transfer that libcurl runs: its easy handle, and the data that the callbacks collect. Used on the loop's thread
/// only.
final class RunningTransfer: RunningHandle {
  let transfer: Transfer
  let handle: EasyHandle
  private let maximumBodyBytes: Int
  /// The body, kept here because libcurl has a pointer to its bytes, not a copy.
  private let requestBody: RequestBody?
  private var heads = AnswerHeads()
  private var body: [UInt8] = []
  private var isBodyTooLong = false
  private var sendings = 0
  /// Whether regd stopped the transfer before sending, because libcurl chose a kept-alive connection that was closed or
  /// had unread bytes. The loop then starts the transfer again on a fresh connection.
  private(set) var needsFreshConnection = false
  private let sockets: OpenSockets

  /// - Parameter former: The earlier attempt at the same transfer, if this one needs a fresh connection.
  /// - Returns: Nil if memory is short, or if libcurl refused any option.
  init?(
    _ transfer: Transfer, _ configuration: HTTPNetwork.Configuration, _ sockets: OpenSockets, milliseconds: Int,
    after former: RunningTransfer? = nil
  ) {
    guard let handle = EasyHandle() else { return nil }
    self.transfer = transfer
    self.handle = handle
    self.sockets = sockets
    sendings = former?.sendings ?? 0
    maximumBodyBytes = configuration.maximumBodyBytes
    requestBody = transfer.request.body()
    TransferOptions(
      configuration: configuration, request: transfer.request, body: requestBody, milliseconds: milliseconds
    ).apply(to: handle)
    setCallbacks()
    handle.take(sockets.observe(handle.easy))
    if former != nil { handle.set(CURLOPT_FRESH_CONNECT, 1) }
    guard handle.areOptionsTaken else { return nil }
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    // libcurl calls this just before each sending, on an established connection: if the transfer fails earlier, the
    // upstream has seen nothing
    handle.take(
      curl_set_before_sending(
        handle.easy,
        { context, _, _, _, localPort in
          RunningTransfer.from(context)?.maySend(localPort) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }, context))
    handle.take(
      curl_set_body_function(
        handle.easy,
        { bytes, size, count, context in
          RunningTransfer.from(context)?.take(bytes, size * count) == true ? size * count : 0
        }, context))
    handle.take(
      curl_set_header_function(
        handle.easy,
        { bytes, size, count, context in
          let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return RunningTransfer.from(context)?.heads.take(line) == true ? size * count : 0
        }, context))
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> RunningTransfer? {
    context.map { Unmanaged<RunningTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func maySend(_ localPort: Int32) -> Bool {
    let isKeptAlive = curl_get_long(handle.easy, CURLINFO_NUM_CONNECTS) == 0
    needsFreshConnection = isKeptAlive && !sockets.isSilent(localPort: localPort)
    if !needsFreshConnection { sendings += 1 }
    return !needsFreshConnection
  }

  private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Bool {
    guard count <= maximumBodyBytes - body.count else {
      isBodyTooLong = true
      return false
    }
    body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return true
  }

  // MARK: Afterwards

  func end(_ code: CURLcode) -> UpstreamReply {
    let observed = TransferEnd.Observed(
      isTooLong: isBodyTooLong || heads.isTooLong, isNotHTTP: heads.isNotHTTP, wasReset: handle.wasReset,
      tls: handle.tls)
    return reply(TransferEnd(code, observed), handle.words(of: code))
  }

  func reply(_ end: TransferEnd, _ message: String) -> UpstreamReply {
    // an interim status (1xx) does not count, unless libcurl succeeded, which makes it the final status
    let status = heads.status.flatMap { $0 >= 200 || end == .whole ? $0 : nil }
    return UpstreamReply(
      end: end, sendings: sendings, status: status, retryAfter: retryAfter, body: body, message: message)
  }

  /// The Retry-After header of the final answer, or nil if there are several, because any of them may be meant.
  private var retryAfter: String? {
    var header: UnsafeMutablePointer<curl_header>?
    guard curl_easy_header(handle.easy, "Retry-After", 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header,
      header.pointee.amount == 1, let value = header.pointee.value
    else { return nil }
    return String(cString: value)
  }
}

/// A transfer's options for libcurl, in one place.
struct TransferOptions {
  let configuration: HTTPNetwork.Configuration
  let request: UpstreamRequest
  /// The request's body. It must outlive the easy handle, because libcurl keeps a pointer to its bytes.
  let body: RequestBody?
  /// The time left for the transfer.
  let milliseconds: Int

  /// Sets the options. Afterwards `areOptionsTaken` shows whether libcurl accepted all of them.
  func apply(to handle: EasyHandle) {
    handle.set(CURLOPT_URL, configuration.base + request.path)
    handle.set(CURLOPT_PATH_AS_IS, 1)
    handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    handle.set(CURLOPT_USERAGENT, configuration.userAgent)
    handle.set(CURLOPT_HTTPHEADER, headers)
    if let body {
      // libcurl does not copy the body, and sends headers and body in one piece, so that no answer can come in between
      handle.set(CURLOPT_POST, 1)
      handle.take(curl_set_size(handle.easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.bytes.count)))
      handle.take(curl_set_pointer(handle.easy, CURLOPT_POSTFIELDS, body.bytes.baseAddress))
    }

    handle.setDirect()
    handle.setTimes(total: milliseconds, connect: min(configuration.connect.wholeMilliseconds, milliseconds))
    handle.set(CURLOPT_MAXAGE_CONN, Int(configuration.idle.components.seconds))

    setTrust(handle)
  }

  private var headers: [String] {
    var lines = ["Accept: application/json"]
    if body != nil {
      // with an Expect header, libcurl would hold the body back, and send the request again after a 417
      lines += ["Content-Type: application/json", "Expect:"]
    }
    if let key = request.idempotencyKey { lines.append("Idempotency-Key: \(key)") }
    if let trace = request.traceparent { lines.append("traceparent: \(trace)") }
    if let token = configuration.bearerToken?.value { lines.append("Authorization: Bearer \(token)") }
    return lines
  }

  private func setTrust(_ handle: EasyHandle) {
    let isTLS = configuration.baseURL.lowercased().hasPrefix("https:")
    handle.set(CURLOPT_PROTOCOLS_STR, isTLS ? "https" : "http")
    handle.setTrust(caFile: isTLS ? configuration.caFile : nil)
    if isTLS { handle.observe() }
    if isTLS, let certificate = configuration.clientCertificateFile {
      handle.set(CURLOPT_SSLCERT, certificate)
      handle.set(CURLOPT_SSLKEY, configuration.clientKeyFile ?? certificate)
      // an empty passphrase keeps OpenSSL from prompting on the terminal, which would block the loop
      handle.set(CURLOPT_KEYPASSWD, "")
    }
  }
}

/// The heads of an upstream's answer (RFC 9112 §2.1), line by line as libcurl passes them: the heads of interim answers
/// (1xx), the head of the final answer, and trailers.
///
/// regd reads status lines itself, because libcurl's releases differ. libcurl 7.88 reads `HTTP/x 409` as a status of 200.
/// libcurl 8.14 does the same with `HTTP/1.1 2000` and `HTTP/2.0 409`.
struct AnswerHeads {
  /// The status of the last head, which may be interim, or nil without a valid status line.
  private(set) var status: Int?
  /// Whether a status line is not valid in HTTP/1.
  private(set) var isNotHTTP = false
  /// Whether the heads are longer than `maximumBytes`.
  private(set) var isTooLong = false
  private var bytes = 0
  private var expectsStatusLine = true

  /// The most bytes of all heads. No real upstream needs more. libcurl's own limit is 100 KiB for a line.
  private static let maximumBytes = 65_536

  /// Takes the next line, including its end.
  ///
  /// - Returns: Whether the transfer may continue.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    isTooLong = bytes > Self.maximumBytes
    guard !isTooLong else { return false }
    if expectsStatusLine {
      status = Self.status(line)
      isNotHTTP = status == nil
      expectsStatusLine = false
    } else if let first = line.first, first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n"), let status {
      // another head follows an interim one, and trailers may follow the final one
      expectsStatusLine = status < 200
    }
    return !isNotHTTP
  }

  /// Reads a status line (RFC 9112 §4). The space before an empty reason may be missing, because many servers omit it.
  ///
  /// - Returns: 100 to 999, or nil if the line is not valid.
  private static func status(_ line: UnsafeRawBufferPointer) -> Int? {
    let (end, separators) = (12, " \r\n".utf8)
    guard line.count > end, line.starts(with: "HTTP/1.".utf8), "01".utf8.contains(line[7]),
      line[8] == UInt8(ascii: " "), separators.contains(line[end]), UInt8(ascii: "1")...UInt8(ascii: "9") ~= line[9]
    else { return nil }
    return Int(String(decoding: line[9..<end], as: UTF8.self))
  }
}

/// How a transfer ended: libcurl's hundred result codes in the few groups that `HTTPVerdict` distinguishes.
enum TransferEnd: Equatable, Sendable {
  /// Complete, in libcurl's view, which includes an answer that breaks off within its head.
  case whole
  /// The deadline has passed, or the caller was cancelled.
  case outOfTime
  /// regd did not begin the transfer, because no connection became free in time, too many requests waited, or the caller
  /// was cancelled.
  case unstarted
  /// The TLS handshake failed: certificates, versions, or no TLS at the other end.
  case untrusted
  /// The other end does not speak HTTP/1.
  case notHTTP
  /// The answer is shorter than announced, its chunks are invalid, or TLS ended without close_notify.
  case cutShort
  /// The answer is longer than regd accepts.
  case tooLong
  /// Any other failure: name not resolved, connection refused, reset or closed.
  case broken

  /// The observations of a transfer that regd has made itself. They decide if libcurl's code has several meanings, or
  /// differs between releases of libcurl. The text of libcurl's message decides nothing.
  struct Observed: Equatable, Sendable {
    /// Whether regd ended the transfer because the answer is too long.
    var isTooLong = false
    /// Whether regd ended the transfer because a status line is not valid in HTTP/1.
    var isNotHTTP = false
    /// Whether the peer reset the connection.
    var wasReset = false
    var tls = TLSTrace()
  }

  init(_ code: CURLcode, _ observed: Observed) {
    self =
      switch code {
      case _ where observed.isTooLong: .tooLong
      case _ where observed.isNotHTTP: .notHTTP
      case CURLE_OK: .whole
      case CURLE_OPERATION_TIMEDOUT: .outOfTime
      case _ where TrustFailure.isMeant(by: code, observed.tls): .untrusted
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .notHTTP
      // a line beyond libcurl's own limit (100 KiB), which libcurl 7.88 calls a lack of memory
      case curl_too_large, CURLE_OUT_OF_MEMORY: .tooLong
      case CURLE_PARTIAL_FILE: .cutShort
      // the connection works, but not its bytes: invalid chunks, or the end of TLS without close_notify
      case CURLE_RECV_ERROR where !observed.wasReset: .cutShort
      default: .broken
      }
  }
}
