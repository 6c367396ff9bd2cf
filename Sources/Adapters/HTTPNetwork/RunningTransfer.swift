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
