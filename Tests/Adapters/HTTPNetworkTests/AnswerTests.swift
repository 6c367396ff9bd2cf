import CurlTransfers
import Registration
import TestKit
import Testing

@testable import HTTPNetwork

/// Complete and incomplete responses on a real socket.
@Suite("Answers over a socket", .timeLimit(.minutes(10)))
struct AnswerTests {
  @Test("HTTPNetwork sends exactly these bytes for the three requests")
  func bytes() async throws {
    let (requests, sink) = AsyncStream.makeStream(of: RawRequest.self)
    try await withUpstream {
      $0.bearerToken = "a-token"
      $0.baseURL += "/api/v1/"
      $0.userAgent = "regd/1"
    } serving: { connection in
      while let request = connection.readRequest() {
        sink.yield(request)
        connection.answer(200, #"{"id":"x","available":true}"#)
      }
    } body: { network, server, reports in
      #expect(await network.askAboutSomebody() == .success(true))
      #expect(await network.registerSomebody() == .success(.registered))
      #expect(await network.signInSomebody() == .success(.accepted(id: "x")))
      #expect(reports.all.isEmpty)
      sink.finish()
      let all = await requests.reduce(into: [RawRequest]()) { $0.append($1) }
      let host = "Host: 127.0.0.1:\(server.port)\r\nUser-Agent: regd/1\r\nAccept: application/json\r\n"
      let token = "Authorization: Bearer a-token\r\n"
      let json = "Content-Type: application/json\r\n"
      try #require(all.count == 3)
      #expect(
        all[0].head == "GET /api/v1/emails/name%40example.com/availability HTTP/1.1\r\n\(host)\(token)\r\n")
      #expect(all[0].body == "")
      #expect(
        all[1].head
          == "POST /api/v1/registrations HTTP/1.1\r\n\(host)\(json)Idempotency-Key: \(someID)\r\n\(token)"
          + "Content-Length: \(all[1].body.utf8.count)\r\n\r\n")
      #expect(
        all[1].body == #"{"id":"\#(someID)","email":"name@example.com","passwordHash":"$made-up$hash"}"#)
      #expect(
        all[2].head
          == "POST /api/v1/sessions HTTP/1.1\r\n\(host)\(json)\(token)Content-Length: \(all[2].body.utf8.count)\r\n\r\n"
      )
      #expect(all[2].body == #"{"email":"name@example.com","password":"a secret"}"#)
    }
  }

  enum Ending: Sendable { case close, reset, stay }

  static let good = #"{"id":"x"}"#

  static let rows: [(answer: String, ending: Ending, result: Result<UpstreamAnswer, NetworkFailure>)] = [
    ("HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n\(good)", .stay, .success(.registered)),
    ("HTTP/1.1 200 OK\r\n\r\n\(good)", .close, .success(.registered)),
    ("HTTP/1.0 200 OK\r\n\r\n\(good)", .close, .success(.registered)),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{\"id\r\n6\r\n\":\"x\"}\r\n0\r\nRetry-After: 7\r\n\r\n",
      .stay, .success(.registered)
    ),
    ("HTTP/1.1 409 Conflict\r\nContent-Length: 0\r\n\r\n", .stay, .success(.taken)),
    ("HTTP/1.1 204 No Content\r\n\r\n", .stay, .failure(.emptyResponse)),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .stay, .failure(.emptyResponse)),
    ("HTTP/1.1 200 OK\r\n\r\n", .close, .failure(.emptyResponse)),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", .stay, .failure(.malformedResponse)),
    (
      "HTTP/1.1 307 X\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", .stay,
      .failure(.malformedResponse)
    ),
    ("HTTP/1.1 304 X\r\n\r\n", .stay, .failure(.malformedResponse)),
    // interim responses
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 X\r\nContent-Length: 10\r\n\r\n\(good)", .stay, .success(.registered)),
    (
      "HTTP/1.1 103 X\r\nRetry-After: 3\r\n\r\nHTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n", .stay,
      .failure(.unavailable(retryAfterSeconds: nil))
    ),
    ("HTTP/1.1 100 Continue\r\n\r\n", .close, .failure(.failed)),
    ("HTTP/1.1 100 Continue\r\n\r\n", .reset, .failure(.failed)),
    ("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", .close, .failure(.failed)),
    ("HTTP/1.1 417 X\r\nContent-Length: 0\r\n\r\n", .stay, .failure(.rejected)),
    // Retry-After
    (
      "HTTP/1.1 503 X\r\nretry-after:  7 \r\nContent-Length: 0\r\n\r\n", .stay,
      .failure(.unavailable(retryAfterSeconds: 7))
    ),
    (
      "HTTP/1.1 429 X\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", .stay, .failure(.throttled(retryAfterSeconds: 7))
    ),
    (
      "HTTP/1.1 503 X\r\nRetry-After: 7\r\nRetry-After: 8\r\nContent-Length: 0\r\n\r\n", .stay,
      .failure(.unavailable(retryAfterSeconds: nil))
    ),
    (
      "HTTP/1.1 503 X\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nRetry-After: 7\r\n\r\n", .stay,
      .failure(.unavailable(retryAfterSeconds: nil))
    ),
    // an empty or incomplete response
    ("", .close, .failure(.failed)), ("", .reset, .failure(.failed)),
    ("HTTP/1.1 200 O", .close, .failure(.failed)), ("HTTP/1.1 503 X", .close, .failure(.failed)),
    ("HTTP/1.1 200 OK\r\nContent-Le", .close, .failure(.emptyResponse)),
    ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n", .reset, .failure(.failed)),
    ("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n\(good)", .close, .failure(.malformedResponse)),
    ("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n\(good)", .reset, .failure(.failed)),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n\(good)", .close, .failure(.malformedResponse)),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n\(good)\r\n", .reset, .failure(.failed)),
    ("HTTP/1.1 404 X\r\nContent-Length: 99\r\n\r\nx", .close, .failure(.rejected)),
    ("HTTP/1.1 409 X\r\nContent-Length: 99\r\n\r\nx", .reset, .success(.taken)),
    ("HTTP/1.1 503 X\r\nContent-Length: 99\r\n\r\nx", .reset, .failure(.unavailable(retryAfterSeconds: nil))),
    // not HTTP
    ("hello\r\nthere\r\n", .close, .failure(.malformedResponse)), ("\r\n\r\n", .close, .failure(.malformedResponse)),
    ("HTTP/1.1 abc\r\n\r\n", .close, .failure(.malformedResponse)),
    ("HTTP/7.1 200 OK\r\n\r\n\(good)", .close, .failure(.malformedResponse)),
    ("HTTP/1.1 099 X\r\n\r\n\(good)", .close, .failure(.malformedResponse)),
    ("HTTP/1.1 999 X\r\n\r\n\(good)", .close, .failure(.malformedResponse)),
    ("HTTP/1.1 2000 X\r\n\r\n\(good)", .close, .failure(.malformedResponse)),
    // status lines that some releases of libcurl accept, as another status even
    ("HTTP/x 409 X\r\nContent-Length: 10\r\n\r\n\(good)", .stay, .failure(.malformedResponse)),
    ("http/1.1 409 X\r\nContent-Length: 10\r\n\r\n\(good)", .stay, .failure(.malformedResponse)),
    ("HTTP/2.0 409 X\r\nContent-Length: 0\r\n\r\n", .stay, .failure(.malformedResponse)),
    ("HTTP/2 201 X\r\nContent-Length: 10\r\n\r\n\(good)", .stay, .failure(.malformedResponse)),
    ("HTTP/1.1  409 X\r\nContent-Length: 0\r\n\r\n", .stay, .failure(.malformedResponse)),
    ("HTTP/1.1\t409 X\r\nContent-Length: 0\r\n\r\n", .stay, .failure(.malformedResponse)),
    ("HTTP/1.1 409X\r\nContent-Length: 0\r\n\r\n", .stay, .failure(.malformedResponse)),
    (
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1  409 X\r\nContent-Length: 0\r\n\r\n", .stay,
      .failure(.malformedResponse)
    ),
    // status lines without a reason, without the space before it, and with a line feed alone
    ("HTTP/1.1 409 \r\nContent-Length: 0\r\n\r\n", .stay, .success(.taken)),
    ("HTTP/1.1 409\r\nContent-Length: 0\r\n\r\n", .stay, .success(.taken)),
    ("HTTP/1.1 409\nContent-Length: 0\n\n", .stay, .success(.taken)),
    ("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n\(good)", .close, .failure(.malformedResponse)),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\(good)", .stay, .failure(.malformedResponse)),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n\(good)XX", .stay, .failure(.malformedResponse)
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(String(repeating: "0", count: 30))a\r\n\(good)", .stay,
      .failure(.malformedResponse)
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n\(good)", .stay,
      .failure(.malformedResponse)
    ),
    ("HTTP/1.1 409 X\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .stay, .success(.taken)),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n\(good)", .stay, .failure(.malformedResponse)),
    // a compression that regd did not request is not undone
    (
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10\r\n\r\n\(good)", .stay, .success(.registered)
    ),
    // too long
    (
      "HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 150_000))\r\n\r\n\(good)", .close,
      .failure(.malformedResponse)
    ),
    (
      "HTTP/1.1 200 OK\r\n\(String(repeating: "A: \(String(repeating: "x", count: 1000))\r\n", count: 70))\r\n\(good)",
      .close, .failure(.malformedResponse)
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n\(good)\r\n0\r\n"
        + "A: \(String(repeating: "x", count: 150_000))\r\n\r\n", .close, .failure(.malformedResponse)
    ),
    (
      String(repeating: "HTTP/1.1 102 X\r\n\r\n", count: 5000) + "HTTP/1.1 200 OK\r\n\r\n\(good)", .close,
      .failure(.malformedResponse)
    ),
    (
      "HTTP/1.1 404 X\r\nContent-Length: 100000\r\n\r\n\(String(repeating: "x", count: 100_000))", .stay,
      .failure(.rejected)
    ),
  ]

  @Test("HTTPNetwork judges an answer by its bytes and by the end of the connection", arguments: rows.indices)
  func answers(_ index: Int) async throws {
    let row = Self.rows[index]
    try await withUpstream { _ in
    } serving: { connection in
      guard connection.readRequest() != nil else { return }
      connection.write(row.answer)
      switch row.ending {
      case .close: connection.close()
      case .reset:
        // an RST overtakes bytes that the peer has not read yet, and the sender cannot see when the peer has read them
        while connection.unreadByPeer > 0 {}
        connection.reset()
      case .stay: connection.waitForEnd()
      }
    } body: { network, server, reports in
      #expect(await network.registerSomebody() == row.result)
      #expect(server.acceptedCount == 1)
      if case .failure(let failure) = row.result {
        #expect(reports.all.map(\.failure) == [failure])
        #expect(reports.all.first?.sendings == 1)
      }
    }
  }

  @Test(
    "HTTPNetwork accepts a body of exactly the limit, and rejects a body that is one byte longer",
    arguments: [true, false])
  func limit(_ isChunked: Bool) async throws {
    for (count, expected) in [(100, .success(.registered)), (101, .failure(.malformedResponse))]
      as [(Int, Result<UpstreamAnswer, NetworkFailure>)]
    {
      let body = Self.good + String(repeating: " ", count: count - Self.good.utf8.count)
      try await withUpstream {
        $0.maximumBodyBytes = 100
      } serving: { connection in
        guard connection.readRequest() != nil else { return }
        connection.write(
          isChunked
            ? "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            : "HTTP/1.1 200 X\r\nContent-Length: \(count)\r\n\r\n\(body)")
        connection.waitForEnd()
      } body: { network, _, _ in
        #expect(await network.registerSomebody() == expected)
      }
    }
  }

  @Test("HTTPNetwork stops reading a body that never ends")
  func endless() async throws {
    let isLetGo = Signal()
    try await withUpstream { _ in
    } serving: { connection in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n")
      while connection.isOpen { connection.write("400\r\n\(String(repeating: "x", count: 1024))\r\n") }
      isLetGo.raise()
    } body: { network, _, _ in
      #expect(await network.registerSomebody() == .failure(.malformedResponse))
      await isLetGo.wait()
    }
  }
}
