internal import CCurl
internal import CurlTransfers

/// How a transfer ended: libcurl's hundred result codes in the few groups that `Verdict` distinguishes.
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
  /// The answer is shorter than announced.
  case cutShort
  /// The answer is longer than regd accepts.
  case tooLong
  /// Any other failure: name not resolved, connection refused, reset or closed.
  case broken

  /// - Parameters:
  ///   - message: The text that libcurl wrote into CURLOPT_ERRORBUFFER. The message distinguishes the two meanings of
  ///     some codes. The tests make libcurl itself write such messages.
  ///   - hasOverflown: Whether regd ended the transfer because the answer is too long.
  init(_ code: CURLcode, _ message: String, hasOverflown: Bool) {
    if hasOverflown {
      self = .tooLong
      return
    }
    self =
      switch code {
      case CURLE_OK: .whole
      case CURLE_OPERATION_TIMEDOUT: .outOfTime
      case _ where TrustFailure.isMeant(by: code, message): .untrusted
      // libcurl reports a header line beyond its own limit (100 KiB) as out of memory
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_OUT_OF_MEMORY:
        .notHTTP
      case CURLE_PARTIAL_FILE: .cutShort
      // over TLS, the peer closed the connection without close_notify
      case CURLE_RECV_ERROR where message.contains("unexpected eof"): .cutShort
      case CURLE_RECV_ERROR where message.contains("chunked-encoding"): .notHTTP
      case CURLE_RECV_ERROR where message.hasPrefix("Too large response headers"): .tooLong
      default: .broken
      }
  }
}
