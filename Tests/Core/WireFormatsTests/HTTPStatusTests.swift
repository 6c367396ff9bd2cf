import Testing
import WireFormats

@Suite("The head of an HTTP answer")
struct HTTPStatusTests {
  @Test("a status without a phrase still has a status line that clients can read")
  func unknown() { #expect(HTTPStatus(599).head([]) == "HTTP/1.1 599 Status\r\n\r\n") }

  @Test("a head has the status line, the fields in their order, and an empty line")
  func head() {
    #expect(HTTPStatus.ok.head([]) == "HTTP/1.1 200 OK\r\n\r\n")
    #expect(
      HTTPStatus.unavailable.head([("Retry-After", "1"), ("X-Empty", ""), ("Retry-After", "ü")])
        == "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nX-Empty: \r\nRetry-After: ü\r\n\r\n")
  }

  @Test("each named status has a phrase")
  func phrases() {
    let named: [HTTPStatus] = [
      .ok, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .late, .bodyTooLong,
      .unknownExpectation, .headTooLong, .unavailable, .otherVersion,
    ]
    #expect(named.map(\.code) == [200, 400, 401, 403, 404, 405, 408, 413, 417, 431, 503, 505])
    for status in named { #expect(status.phrase != "Status") }
  }
}
