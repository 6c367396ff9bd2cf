import RehearsedNetworks
import RehearsedUpstream
import Testing

@Suite("Answers on the wire", .timeLimit(.minutes(10)))
struct AnswersOnTheWireTests {
  struct Case: CustomTestStringConvertible {
    let step: String
    let operation: Script.Operation
    let answer: String
    var testDescription: String { "\(step) of \(operation)" }

    init(_ step: String, _ operation: Script.Operation, _ answer: String) {
      self.step = step
      self.operation = operation
      self.answer = answer
    }
  }

  static let error = "{\"error\":\"rehearsed\"}"

  static let cases = [
    Case("accept", .checkEmail, Answers.available),
    Case("accept delay=1ms", .register, Answers.created),
    Case("accept", .signIn, Answers.json("200 OK", "{\"id\":\"a@b.cd\"}")),
    Case("taken", .checkEmail, Answers.unavailable),
    Case("taken", .register, Answers.taken),
    Case("taken", .signIn, Answers.rejected),
    Case("wrong", .checkEmail, Answers.unavailable),
    Case("wrong", .register, Answers.taken),
    Case("wrong", .signIn, Answers.rejected),
    Case("unavailable", .register, Answers.json("503 Service Unavailable", error)),
    Case("unavailable retryAfter=30", .signIn, Answers.json("503 Service Unavailable", error, "Retry-After: 30\r\n")),
    Case("fail", .register, Answers.json("500 Internal Server Error", error)),
    Case("fail acted", .register, Answers.json("500 Internal Server Error", error)),
    Case("at-work", .register, Answers.taken),
    Case("unavailable acted", .register, Answers.json("503 Service Unavailable", error)),
    Case("forbidden", .signIn, Answers.json("403 Forbidden", error)),
    Case("request-timeout", .register, Answers.json("408 Request Timeout", error)),
    Case("gone", .signIn, Answers.json("410 Gone", error)),
    Case("locked", .signIn, Answers.json("423 Locked", error)),
    Case("too-early", .register, Answers.json("425 Too Early", error)),
    Case("not-found", .checkEmail, Answers.json("404 Not Found", error)),
    Case("reject", .register, Answers.json("422 Unprocessable Content", error)),
    Case("throttle", .register, Answers.json("429 Too Many Requests", error)),
    Case("throttle retryAfter=0", .register, Answers.json("429 Too Many Requests", error, "Retry-After: 0\r\n")),
    Case("empty", .checkEmail, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    Case("empty", .register, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"),
    Case("malformed", .checkEmail, Answers.json("200 OK", "{\"available\": tru")),
    Case("malformed", .register, Answers.json("200 OK", "{\"id\": tru")),
    Case("wrong-type", .checkEmail, Answers.json("200 OK", "{\"available\":\"yes\"}")),
    Case("wrong-type", .signIn, Answers.json("200 OK", "{\"id\":true}")),
  ]

  @Test("the server sends exactly these bytes, and the connection stays usable", arguments: cases)
  func exact(_ example: Case) throws {
    let server = try plainServer(try .all(example.step, "accept"))
    let client = try RawClient(server)
    client.send(Requests.of(example.operation))
    #expect(client.answer() == example.answer)
    client.send(Requests.of(example.operation))
    #expect(client.answer().hasPrefix("HTTP/1.1 20"))
    #expect(server.ledger.requests == [example.operation: 2])
    #expect(server.ledger.complaints.isEmpty)
  }

  @Test("following a redirect succeeds but causes a complaint")
  func redirect() throws {
    let server = try plainServer(try .all("redirect"))
    let client = try RawClient(server)
    client.send(Requests.register)
    let elsewhere = "http://127.0.0.1:\(server.port)/v1/moved/registrations"
    #expect(client.answer() == "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: \(elsewhere)\r\n\r\n")
    #expect(server.ledger.complaints.isEmpty)
    client.send("GET /v1/moved/registrations HTTP/1.1\r\nHost: u\r\n\r\n")
    #expect(client.answer() == Answers.json("200 OK", "{\"available\":true,\"id\":\"elsewhere\"}"))
    #expect(server.ledger.complaints == ["a redirect was followed, with GET"])
    #expect(server.ledger.registrations.isEmpty)
  }

  @Test("an oversized success has 4 MiB, and a client that leaves early does not disturb others")
  func oversize() throws {
    let server = try plainServer(try .all("oversize", "oversize", "accept"))
    let client = try RawClient(server)
    client.send(Requests.check)
    let answer = client.answer()
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4194304\r\n\r\n"))
    #expect(answer.range("{\"available\":true ") != nil)
    #expect(answer.hasSuffix(" }"))
    do {
      let leaving = try RawClient(server)
      leaving.send(Requests.check)
    }
    client.send(Requests.signIn)
    #expect(client.answer().range("Content-Length: 4194304") != nil)
  }

  @Test("a truncated answer consists of half of a body and a FIN", arguments: [Script.Operation.checkEmail, .register])
  func truncate(_ operation: Script.Operation) throws {
    let server = try plainServer(try .all("truncate"))
    let client = try RawClient(server)
    client.send(Requests.of(operation))
    let (text, ending) = client.rest()
    let whole = operation == .register ? Answers.created : Answers.available
    let length = operation == .register ? 11 : 18
    #expect(text == String(whole.dropLast(length - length / 2)))
    #expect(ending == .finished)
  }

  @Test("the server resets the connection after it has read the request")
  func resetAfter() throws {
    let server = try plainServer(try .all("reset-after"))
    let client = try RawClient(server)
    client.send(Requests.register)
    let (text, ending) = client.rest()
    #expect(text.isEmpty)
    #expect(ending == .reset)
    #expect(server.ledger.requests == [.register: 1])
  }

  @Test("with a timeout, the server sends nothing until it stops")
  func timeout() throws {
    let moments = try Moments()
    let server = try plainServer(try .all("timeout"), onRequest: moments.hook)
    let client = try RawClient(server)
    client.send(Requests.register)
    // The server also serves another connection. By then the first would have received an answer.
    let other = try RawClient(server)
    other.send(Requests.check)
    moments.wait(for: .acted, count: 2)
    server.stop()
    #expect(client.rest() == ("", .finished))
    #expect(other.rest() == ("", .finished))
  }

  @Test("with a stall, the server sends half of a body and then nothing until it stops")
  func stall() throws {
    let server = try plainServer(try .all("stall"))
    let client = try RawClient(server)
    client.send(Requests.check)
    let half = String(Answers.available.dropLast(9))
    #expect(client.text(of: half.utf8.count) == half)
    server.stop()
    #expect(client.rest() == ("", .finished))
  }

  @Test("the server does not act on a request whose client leaves during the delay")
  func leftEarly() throws {
    let moments = try Moments()
    let server = try plainServer(try .all("accept delay=86400000ms", "accept"), onRequest: moments.hook)
    do {
      let client = try RawClient(server)
      client.send(Requests.register)
      moments.wait(for: .read, count: 1)
    }
    let client = try RawClient(server)
    client.send(Requests.register)
    #expect(client.answer() == Answers.created)
    #expect(moments.seen(.acted) == 1)
  }
}
