import CCurl
import Testing

@testable import HTTPNetwork

/// Messages of libcurl 7.88.1 with OpenSSL 3.0. The socket tests get the messages from libcurl itself.
@Suite("Ends of transfers")
struct TransferEndTests {
  typealias Row = (code: CURLcode, message: String, end: TransferEnd)
  static let rows: [Row] = [
    (CURLE_OK, "", .whole),
    (CURLE_OPERATION_TIMEDOUT, "Operation timed out after 5001 milliseconds with 0 bytes received", .outOfTime),
    (CURLE_COULDNT_RESOLVE_HOST, "Could not resolve host: x", .broken),
    (CURLE_COULDNT_CONNECT, "Failed to connect to x port 1 after 0 ms: Couldn't connect to server", .broken),
    (CURLE_GOT_NOTHING, "Empty reply from server", .broken),
    (CURLE_SEND_ERROR, "Send failure: Broken pipe", .broken),
    (CURLE_RECV_ERROR, "Recv failure: Connection reset by peer", .broken),
    (CURLE_RECV_ERROR, "Illegal or missing hexadecimal sequence in chunked-encoding", .notHTTP),
    (CURLE_RECV_ERROR, "Too large response headers: 330072 > 307200", .tooLong),
    (
      CURLE_RECV_ERROR, "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0",
      .cutShort
    ),
    (CURLE_SSL_CONNECT_ERROR, "Recv failure: Connection reset by peer", .broken),
    (CURLE_SSL_CONNECT_ERROR, "Send failure: Connection reset by peer", .broken),
    (CURLE_SSL_CONNECT_ERROR, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to x:1 ", .broken),
    (
      CURLE_SSL_CONNECT_ERROR, "OpenSSL/3.0.19: error:0A000126:SSL routines::unexpected eof while reading", .broken
    ),
    (CURLE_SSL_CONNECT_ERROR, "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .untrusted),
    (CURLE_SSL_CONNECT_ERROR, "OpenSSL/3.0.19: error:0A000410:SSL routines::sslv3 alert handshake failure", .untrusted),
    (CURLE_SSL_CONNECT_ERROR, "", .untrusted),
    (CURLE_PEER_FAILED_VERIFICATION, "SSL certificate problem: certificate has expired", .untrusted),
    (CURLE_SSL_CACERT_BADFILE, "error setting certificate verify locations", .untrusted),
    (CURLE_SSL_CERTPROBLEM, "could not load PEM client certificate", .untrusted),
    (CURLE_SSL_CIPHER, "", .untrusted), (CURLE_SSL_ISSUER_ERROR, "", .untrusted),
    (CURLE_SSL_CLIENTCERT, "", .untrusted),
    (CURLE_UNSUPPORTED_PROTOCOL, "Received HTTP/0.9 when not allowed", .notHTTP),
    (CURLE_WEIRD_SERVER_REPLY, "Invalid Content-Length: value", .notHTTP),
    (CURLE_BAD_CONTENT_ENCODING, "Unrecognized content encoding type", .notHTTP), (CURLE_OUT_OF_MEMORY, "", .notHTTP),
    (CURLE_PARTIAL_FILE, "transfer closed with 7 bytes remaining to read", .cutShort),
    (CURLE_WRITE_ERROR, "Failure writing output to destination", .broken), (CURLE_ABORTED_BY_CALLBACK, "", .broken),
    (CURLE_URL_MALFORMAT, "", .broken), (CURLE_HTTP2, "", .broken),
  ]

  @Test("TransferEnd classifies libcurl's code and message", arguments: rows.indices)
  func codes(_ index: Int) {
    let row = Self.rows[index]
    #expect(TransferEnd(row.code, row.message, hasOverflown: false) == row.end)
  }

  @Test("a transfer that HTTPNetwork ends because of its length is too long, whatever code libcurl returns")
  func overflown() {
    for row in Self.rows { #expect(TransferEnd(row.code, row.message, hasOverflown: true) == .tooLong) }
  }
}
