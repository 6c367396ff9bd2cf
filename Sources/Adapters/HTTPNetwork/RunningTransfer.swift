internal import CCurl

/// A transfer that libcurl runs: its easy handle, and the data that the callbacks collect. Used on the loop's thread
/// only.
final class RunningTransfer {
  let transfer: Transfer
  let easy: UnsafeMutableRawPointer
  private let maximumBodyBytes: Int
  /// libcurl keeps pointers to these three, not copies.
  private let requestBody: RequestBody?
  private let headers: UnsafeMutablePointer<curl_slist>?
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var body: [UInt8] = []
  private var headerBytes = 0
  private var sendings = 0
  private var hasOverflown = false
  /// The kept-alive connection that libcurl chose was not silent, so nothing was sent on it. The loop starts the
  /// transfer again
  /// on a fresh connection.
  private(set) var needsFreshConnection = false
  private let sockets: OpenSockets

  /// libcurl limits a line (100 KiB) and, with Debian's patch, the whole head (300 KiB); no real upstream needs more
  /// than this
  /// limit. Interim answers and trailers count, too.
  private static let maximumHeaderBytes = 65_536

  /// - Parameter former: The earlier attempt at the same transfer, if this one needs a fresh connection.
  /// - Returns: Nil if memory is short, or if libcurl refused an option on which a promise of regd rests.
  init?(
    _ transfer: Transfer, _ configuration: HTTPNetwork.Configuration, _ sockets: OpenSockets, milliseconds: Int,
    after former: RunningTransfer? = nil
  ) {
    guard let easy = curl_easy_init() else { return nil }
    self.transfer = transfer
    self.easy = easy
    self.sockets = sockets
    sendings = former?.sendings ?? 0
    maximumBodyBytes = configuration.maximumBodyBytes
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    requestBody = transfer.request.body()
    let options = TransferOptions(
      configuration: configuration, request: transfer.request, body: requestBody, milliseconds: milliseconds)
    headers = options.headers()
    guard headers != nil, options.apply(to: easy, headers), setCallbacks(), sockets.observe(easy),
      former == nil || curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
    else { return nil }
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headers)
    errorText.deallocate()
  }

  private func setCallbacks() -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    return curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
      // called just before each sending, once the connection stands: an earlier failure is certain not to have
      // reached the upstream
      && curl_set_before_sending(
        easy,
        { context, _, _, _, localPort in
          RunningTransfer.from(context)?.maySend(localPort) == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }, context) == CURLE_OK
      && curl_set_body_function(
        easy,
        { bytes, size, count, context in
          RunningTransfer.from(context)?.take(bytes, size * count) == true ? size * count : 0
        }, context) == CURLE_OK
      && curl_set_header_function(
        easy,
        { _, size, count, context in
          RunningTransfer.from(context)?.countHeader(size * count) == true ? size * count : 0
        }, context) == CURLE_OK
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> RunningTransfer? {
    context.map { Unmanaged<RunningTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func maySend(_ localPort: Int32) -> Bool {
    let isKeptAlive = curl_get_long(easy, CURLINFO_NUM_CONNECTS) == 0
    needsFreshConnection = isKeptAlive && !sockets.isSilent(localPort: localPort)
    if !needsFreshConnection { sendings += 1 }
    return !needsFreshConnection
  }

  private func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Bool {
    guard count <= maximumBodyBytes - body.count else {
      hasOverflown = true
      return false
    }
    body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return true
  }

  private func countHeader(_ count: Int) -> Bool {
    headerBytes += count
    if headerBytes > Self.maximumHeaderBytes { hasOverflown = true }
    return !hasOverflown
  }

  // MARK: Afterwards

  /// Must be called while the handle is still with the multi.
  func reply(_ code: CURLcode) -> UpstreamReply {
    let text = String(cString: errorText)
    let words = text.isEmpty && code != CURLE_OK ? String(cString: curl_easy_strerror(code)) : text
    return reply(TransferEnd(code, text, hasOverflown: hasOverflown), words)
  }

  func reply(_ end: TransferEnd, _ message: String) -> UpstreamReply {
    let status = curl_get_long(easy, CURLINFO_RESPONSE_CODE)
    return UpstreamReply(
      // an interim answer alone is no answer, unless libcurl succeeded: then the answer was final
      end: end, sendings: sendings, status: status >= 200 || (status > 0 && end == .whole) ? status : nil,
      retryAfter: retryAfter, body: body, message: message)
  }

  /// The header of the final answer; nil if there are several, because any of them may be meant.
  private var retryAfter: String? {
    var header: UnsafeMutablePointer<curl_header>?
    guard curl_easy_header(easy, "Retry-After", 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK, let header,
      header.pointee.amount == 1, let value = header.pointee.value
    else { return nil }
    return String(cString: value)
  }
}
