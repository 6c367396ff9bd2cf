internal import CCurl
internal import CurlTransfers

/// How a transfer ended: libcurl's hundred codes, as far as a verdict tells them apart.
enum TransferEnd: Equatable, Sendable {
  /// To its end as libcurl sees it. An answer that breaks off within its head is such a one, too.
  case whole
  /// The deadline has passed, or the caller was cancelled.
  case outOfTime
  /// It was never given to libcurl: its turn did not come in time, or the caller was cancelled.
  case unstarted
  /// TLS came to no agreement: certificates, versions, or no TLS at the other end.
  case untrusted
  /// It does not speak HTTP/1.
  case notHTTP
  /// The answer is shorter than announced.
  case cutShort
  /// The answer is longer than we take.
  case tooLong
  /// Anything else: not resolved, refused, reset, closed.
  case broken

  /// - Parameters:
  ///   - message: What libcurl wrote into CURLOPT_ERRORBUFFER. Some of its codes stand for two things, and the words are
  ///     all that tells them apart; the tests have them from libcurl itself.
  ///   - hasOverflown: Whether regd ended it because the body is too long.
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
      // a header line beyond libcurl's own bound (100 KiB) is out of memory in its words
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_OUT_OF_MEMORY:
        .notHTTP
      case CURLE_PARTIAL_FILE: .cutShort
      // over TLS, a connection that is closed without a goodbye
      case CURLE_RECV_ERROR where message.contains("unexpected eof"): .cutShort
      case CURLE_RECV_ERROR where message.contains("chunked-encoding"): .notHTTP
      case CURLE_RECV_ERROR where message.hasPrefix("Too large response headers"): .tooLong
      default: .broken
      }
  }
}
