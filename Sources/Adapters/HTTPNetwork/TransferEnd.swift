internal import CCurl
internal import CurlTransfers

/// How a transfer ended: libcurl's hundred result codes in the few groups that `HTTPVerdict` distinguishes.
enum TransferEnd: Equatable, Sendable {
  /// Complete, in libcurl's view, which includes an answer that breaks off within its head.
  case whole
  /// The deadline has passed, or the caller was cancelled.
  case outOfTime
  /// Never given to libcurl: no connection became free in time, too many requests waited, or the caller was cancelled.
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

  /// What regd itself has observed of a transfer. It decides when libcurl's code has several meanings, or depends on the
  /// release. libcurl's words decide nothing.
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
