package import CCurl
internal import Linux

/// An easy handle of libcurl (one transfer), with the texts to which libcurl keeps pointers. Used on the loop's thread
/// only.
package final class EasyHandle {
  package let easy: UnsafeMutableRawPointer
  /// Whether libcurl accepted every option.
  package private(set) var areOptionsTaken = true
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var list: UnsafeMutablePointer<curl_slist>?
  /// The messages of the TLS handshake, if `observe` was called.
  package private(set) var tls = TLSTrace()
  private var command: (UnsafeRawBufferPointer) -> Void = { _ in }

  /// - Returns: Nil if memory is short.
  package init?() {
    guard let easy = curl_easy_init() else {
      errorText.deallocate()
      return nil
    }
    self.easy = easy
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    take(curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText))
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(list)
    errorText.deallocate()
  }

  /// Describes how a transfer ended, for an operator. No decision may depend on the words, because they change with
  /// libcurl's releases.
  package func words(of code: CURLcode) -> String {
    let text = String(cString: errorText)
    return text.isEmpty && code != CURLE_OK ? String(cString: curl_easy_strerror(code)) : text
  }

  /// Whether the peer has reset the connection. libcurl keeps the errno(3) of the last failed call. That call may be an
  /// attempt to connect to another address of the host, which fails with other numbers.
  package var wasReset: Bool {
    let number = Int32(truncatingIfNeeded: curl_get_long(easy, CURLINFO_OS_ERRNO))
    return number == SystemError.connectionReset || number == SystemError.brokenPipe
  }

  // MARK: Observing

  /// Records the messages of the TLS handshake in `tls`.
  ///
  /// - Parameter command: Called with each command of the protocol that libcurl has sent.
  package func observe(_ command: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }) {
    self.command = command
    take(
      curl_set_debug_function(
        easy,
        { _, kind, bytes, count, context in
          guard kind != CURLINFO_TEXT, let context else { return 0 }
          let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
          handle.note(kind, UnsafeRawBufferPointer(start: bytes, count: count))
          return 0
        }, Unmanaged.passUnretained(self).toOpaque()))
  }

  private func note(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    if kind == CURLINFO_HEADER_OUT { command(bytes) } else { tls.note(kind, bytes) }
  }

  // MARK: Options

  package func set(_ option: CURLoption, _ value: Int) { take(curl_set_long(easy, option, value)) }

  package func set(_ option: CURLoption, _ value: String?) { take(curl_set_string(easy, option, value)) }

  /// Sets a list option. A handle may have only one list option, because all lines go into one list.
  package func set(_ option: CURLoption, _ lines: [String]) {
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        areOptionsTaken = false
        return
      }
      list = longer
    }
    take(curl_set_list(easy, option, list))
  }

  package func take(_ code: CURLcode) { areOptionsTaken = code == CURLE_OK && areOptionsTaken }

  /// Connects directly to the server: no redirects, no proxy, and no credentials from .netrc.
  package func setDirect() {
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NETRC, curl_netrc_ignored)
  }

  /// Limits the transfer and its connecting. Both limits are in milliseconds, 1 or more.
  package func setTimes(total: Int, connect: Int) {
    set(CURLOPT_TIMEOUT_MS, total)
    set(CURLOPT_CONNECTTIMEOUT_MS, connect)
    set(CURLOPT_NOSIGNAL, 1)
    // when a transfer ends, the loop does not wait for the thread of an unfinished name look-up
    set(CURLOPT_QUICK_EXIT, 1)
  }

  /// Requires TLS 1.2 or later, and verifies the server's certificate and host name.
  ///
  /// - Parameter caFile: A PEM file of the only trusted authorities. Nil trusts the system's.
  package func setTrust(caFile: String?) {
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
  /// In milliseconds, rounded up, at least 1 and at most a day.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < 86_400 else { return 86_400_000 }
    return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
