import CCurl
import CurlTransfers
import Testing

@testable import HTTPNetwork

/// Codes of libcurl 7.88, 8.12, 8.14 and 8.23. The socket tests get the codes from libcurl itself.
@Suite("Ends of transfers")
struct TransferEndTests {
  typealias Row = (code: CURLcode, observed: TransferEnd.Observed, end: TransferEnd)
  private static let nothing = TransferEnd.Observed()
  private static let reset = TransferEnd.Observed(wasReset: true)
  private static let begun = TransferEnd.Observed(tls: .of([.out("\u{16}\u{3}\u{1}\u{2}\u{0}")]))

  static let rows: [Row] = [
    (CURLE_OK, nothing, .whole),
    (CURLE_OPERATION_TIMEDOUT, nothing, .outOfTime),
    (CURLE_COULDNT_RESOLVE_HOST, nothing, .broken), (CURLE_COULDNT_CONNECT, nothing, .broken),
    (CURLE_GOT_NOTHING, nothing, .broken), (CURLE_SEND_ERROR, reset, .broken), (CURLE_SEND_ERROR, nothing, .broken),
    (CURLE_RECV_ERROR, reset, .broken),
    // invalid chunks, or TLS that ended without close_notify
    (CURLE_RECV_ERROR, nothing, .cutShort), (CURLE_RECV_ERROR, begun, .cutShort),
    (CURLE_PARTIAL_FILE, nothing, .cutShort),
    // a header line of more than 100 KiB: 7.88, and since 8.6
    (CURLE_OUT_OF_MEMORY, nothing, .tooLong), (curl_too_large, nothing, .tooLong),
    (CURLE_SSL_CONNECT_ERROR, begun, .broken), (CURLE_SSL_CONNECT_ERROR, nothing, .untrusted),
    (CURLE_PEER_FAILED_VERIFICATION, begun, .untrusted), (CURLE_SSL_CACERT_BADFILE, nothing, .untrusted),
    (CURLE_SSL_CERTPROBLEM, nothing, .untrusted), (CURLE_SSL_CIPHER, nothing, .untrusted),
    (CURLE_SSL_ISSUER_ERROR, begun, .untrusted), (CURLE_SSL_CLIENTCERT, begun, .untrusted),
    (CURLE_UNSUPPORTED_PROTOCOL, nothing, .notHTTP), (CURLE_WEIRD_SERVER_REPLY, nothing, .notHTTP),
    (CURLE_BAD_CONTENT_ENCODING, nothing, .notHTTP),
    (CURLE_WRITE_ERROR, nothing, .broken), (CURLE_ABORTED_BY_CALLBACK, nothing, .broken),
    (CURLE_URL_MALFORMAT, nothing, .broken), (CURLE_HTTP2, nothing, .broken),
  ]

  @Test("TransferEnd classifies libcurl's code and what HTTPNetwork observed", arguments: rows.indices)
  func codes(_ index: Int) {
    let row = Self.rows[index]
    #expect(TransferEnd(row.code, row.observed) == row.end)
  }

  @Test("if HTTPNetwork itself ends a transfer, its reason counts, whatever code libcurl returns")
  func ended() {
    for row in Self.rows {
      var observed = row.observed
      observed.isNotHTTP = true
      #expect(TransferEnd(row.code, observed) == .notHTTP)
      observed.isTooLong = true
      #expect(TransferEnd(row.code, observed) == .tooLong)
    }
  }
}

/// Messages as libcurl 7.88, 8.12 and 8.23 with OpenSSL 3.0, 3.4 and 3.6 pass them on.
@Suite("Traces of TLS handshakes")
struct TLSTraceTests {
  private static let hello = [
    TLSTrace.Message.out("\u{16}\u{3}\u{1}\u{2}\u{0}"), .out("\u{1}\u{0}\u{1}\u{7C}\u{3}\u{3}"),
  ]

  @Test(
    "a handshake breaks off if neither side refuses the other",
    arguments: [
      [],
      // the connection ends within a record
      [.in("\u{16}\u{3}\u{3}\u{0}\u{50}")],
      // the connection ends after the server's hello
      [.in("\u{16}\u{3}\u{3}\u{0}\u{50}"), .in("\u{2}\u{0}\u{0}\u{4C}\u{3}\u{3}")],
      // OpenSSL answers the end of the connection with decode_error
      [.out("\u{15}\u{3}\u{1}\u{0}\u{2}"), .out("\u{2}\u{32}")],
      // a warning: close_notify
      [.in("\u{15}\u{3}\u{3}\u{0}\u{2}"), .in("\u{1}\u{0}")],
    ] as [[TLSTrace.Message]])
  func broken(_ messages: [TLSTrace.Message]) {
    #expect(TLSTrace.of(Self.hello + messages).hasBrokenOff)
  }

  @Test(
    "a handshake does not break off after a fatal alert, or if the peer does not speak TLS",
    arguments: [
      // the server sends handshake_failure, protocol_version
      [.in("\u{15}\u{3}\u{3}\u{0}\u{2}"), .in("\u{2}\u{28}")],
      [.in("\u{15}\u{3}\u{3}\u{0}\u{2}"), .in("\u{2}\u{46}")],
      // libcurl sends protocol_version, unknown_ca
      [.out("\u{15}\u{3}\u{3}\u{0}\u{2}"), .out("\u{2}\u{46}")],
      [.out("\u{15}\u{3}\u{3}\u{0}\u{2}"), .out("\u{2}\u{30}")],
      [.in("HTTP/")], [.in("220 m")], [.in("\u{63}\u{3}\u{3}\u{0}\u{4}")], [.in("\u{16}\u{2}\u{0}\u{0}\u{4}")],
    ] as [[TLSTrace.Message]])
  func refused(_ messages: [TLSTrace.Message]) {
    #expect(!TLSTrace.of(Self.hello + messages).hasBrokenOff)
  }

  @Test("a handshake that libcurl could not begin has not broken off")
  func notBegun() {
    #expect(!TLSTrace().hasBrokenOff)
  }
}

extension TLSTrace {
  /// Data that libcurl passes to CURLOPT_DEBUGFUNCTION; ASCII.
  enum Message: Sendable {
    case `in`(String)
    case out(String)
  }

  static func of(_ messages: [Message]) -> TLSTrace {
    var trace = TLSTrace()
    for message in messages {
      switch message {
      case .in(let text): Array(text.utf8).withUnsafeBytes { trace.note(CURLINFO_SSL_DATA_IN, $0) }
      case .out(let text): Array(text.utf8).withUnsafeBytes { trace.note(CURLINFO_SSL_DATA_OUT, $0) }
      }
    }
    return trace
  }
}
