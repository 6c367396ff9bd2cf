package import CCurl

/// Options of an easy handle; tracks whether libcurl accepted all of them.
package struct EasyOptions {
  private let easy: UnsafeMutableRawPointer
  package private(set) var areTaken = true

  package init(easy: UnsafeMutableRawPointer) { self.easy = easy }

  package mutating func set(_ option: CURLoption, _ value: Int) { take(curl_set_long(easy, option, value)) }

  package mutating func set(_ option: CURLoption, _ value: String?) { take(curl_set_string(easy, option, value)) }

  package mutating func take(_ code: CURLcode) { areTaken = code == CURLE_OK && areTaken }

  /// Connects directly to the server: no redirects, no proxy, and no credentials from .netrc.
  package mutating func setDirect() {
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
  }

  /// - Parameters: Both in milliseconds, 1 or more.
  package mutating func setTimes(total: Int, connect: Int) {
    set(CURLOPT_TIMEOUT_MS, total)
    set(CURLOPT_CONNECTTIMEOUT_MS, connect)
    set(CURLOPT_NOSIGNAL, 1)
    // a name look-up in progress is left to its thread: the loop does not wait for it
    set(CURLOPT_QUICK_EXIT, 1)
  }

  /// Requires TLS 1.2 or later, and verifies the server's certificate and host name.
  ///
  /// - Parameter caFile: The only authorities that are trusted, in PEM; nil for the system's.
  package mutating func setTrust(caFile: String?) {
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    guard let caFile else { return }
    set(CURLOPT_CAINFO, caFile)
    set(CURLOPT_CAPATH, nil)
    set(CURLOPT_CA_CACHE_TIMEOUT, 60)
  }
}

extension Duration {
  /// In milliseconds, rounded up; at least 1, at most a day.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 86_400 else { return 86_400_000 }
    return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
