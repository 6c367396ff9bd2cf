package import CCurl

/// Options of an easy handle, and whether libcurl has taken all of them.
package struct EasyOptions {
  private let easy: UnsafeMutableRawPointer
  package private(set) var areTaken = true

  package init(easy: UnsafeMutableRawPointer) { self.easy = easy }

  package mutating func set(_ option: CURLoption, _ value: Int) { take(curl_set_long(easy, option, value)) }

  package mutating func set(_ option: CURLoption, _ value: String?) { take(curl_set_string(easy, option, value)) }

  package mutating func take(_ code: CURLcode) { areTaken = code == CURLE_OK && areTaken }

  /// Straight to the server, and nowhere else; who authenticates by what is the configuration's to say.
  package mutating func setDirect() {
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
  }

  /// - Parameters: In milliseconds, 1 or more.
  package mutating func setTimes(total: Int, connect: Int) {
    set(CURLOPT_TIMEOUT_MS, total)
    set(CURLOPT_CONNECTTIMEOUT_MS, connect)
    set(CURLOPT_NOSIGNAL, 1)
    // a name that is still being looked up is left to its thread; the loop does not wait for that one
    set(CURLOPT_QUICK_EXIT, 1)
  }

  /// TLS 1.2 or later, from the server that was meant.
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
  /// Rounded up, from 1 to a day.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 86_400 else { return 86_400_000 }
    return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
