internal import CCurl
internal import CurlTransfers

/// A transfer's options for libcurl, in one place.
struct TransferOptions {
  let configuration: HTTPNetwork.Configuration
  let request: UpstreamRequest
  /// The request's body; must outlive the easy handle, because libcurl keeps a pointer to its bytes.
  let body: RequestBody?
  /// The time left for the transfer.
  let milliseconds: Int

  /// - Returns: A list for the caller to free; nil if there is no memory for all of it.
  func headers() -> UnsafeMutablePointer<curl_slist>? {
    var lines = ["Accept: application/json"]
    if body != nil {
      // with an Expect header, libcurl would hold the body back, and send the request again after a 417
      lines += ["Content-Type: application/json", "Expect:"]
    }
    if let key = request.idempotencyKey { lines.append("Idempotency-Key: \(key)") }
    if let trace = request.traceparent { lines.append("traceparent: \(trace)") }
    if let token = configuration.bearerToken?.value { lines.append("Authorization: Bearer \(token)") }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        return nil
      }
      list = longer
    }
    return list
  }

  /// - Returns: Whether libcurl accepted every option.
  func apply(to easy: UnsafeMutableRawPointer, _ headers: UnsafeMutablePointer<curl_slist>?) -> Bool {
    var options = EasyOptions(easy: easy)
    options.set(CURLOPT_URL, configuration.base + request.path)
    options.set(CURLOPT_PATH_AS_IS, 1)
    options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    options.set(CURLOPT_USERAGENT, configuration.userAgent)
    options.take(curl_set_headers(easy, headers))
    if let body {
      // libcurl copies no body, and sends headers and body in one piece: no answer can come between the two
      options.set(CURLOPT_POST, 1)
      options.take(curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.bytes.count)))
      options.take(curl_set_pointer(easy, CURLOPT_POSTFIELDS, body.bytes.baseAddress))
    }

    options.setDirect()
    options.setTimes(total: milliseconds, connect: min(configuration.connect.wholeMilliseconds, milliseconds))
    options.set(CURLOPT_MAXAGE_CONN, Int(configuration.idle.components.seconds))

    setTrust(&options)
    return options.areTaken
  }

  private func setTrust(_ options: inout EasyOptions) {
    let isTLS = configuration.baseURL.lowercased().hasPrefix("https:")
    options.set(CURLOPT_PROTOCOLS_STR, isTLS ? "https" : "http")
    options.setTrust(caFile: isTLS ? configuration.caFile : nil)
    if isTLS, let certificate = configuration.clientCertificateFile {
      options.set(CURLOPT_SSLCERT, certificate)
      options.set(CURLOPT_SSLKEY, configuration.clientKeyFile ?? certificate)
      // without one, OpenSSL would ask for a passphrase on the terminal, and wait
      options.set(CURLOPT_KEYPASSWD, "")
    }
  }
}
