internal import CCurl
internal import CurlTransfers

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
