import RehearsedNetworks
import RehearsedUpstream
import Testing

@Suite("Complaints about clients", .timeLimit(.minutes(10)))
struct ComplaintTests {
  struct Case: CustomTestStringConvertible {
    let request: String
    let complaint: String
    var testDescription: String { complaint }

    init(_ request: String, _ complaint: String) {
      self.request = request
      self.complaint = complaint
    }
  }

  static let body = "{\"id\":\"i\",\"email\":\"e\",\"passwordHash\":\"$h\"}"

  static let cases = [
    Case(
      Requests.post("registrations", body), "400: there is not one Idempotency-Key of 1 to 255 characters"),
    Case(
      Requests.post("registrations", body, "Idempotency-Key: \r\n"),
      "400: there is not one Idempotency-Key of 1 to 255 characters"),
    Case(
      Requests.post("registrations", "{\"id\":", "Idempotency-Key: k\r\n"), "400: the body is no JSON at byte 6"),
    Case(
      Requests.post("registrations", "{\"id\":\"i\",\"email\":\"e\"}", "Idempotency-Key: k\r\n"),
      "400: the body is no object with just the strings id, email, passwordHash"),
    Case(
      Requests.post("registrations", "{\"id\":\"i\",\"email\":\"e\",\"passwordHash\":\"p\"}", "Idempotency-Key: k\r\n"),
      "400: \"passwordHash\" is no PHC string"),
    Case(
      Requests.post("sessions", "{\"email\":\"e\",\"password\":\"p\",\"more\":\"m\"}"),
      "400: the body is no object with just the strings email, password"),
    Case(Requests.post("sessions", "[]"), "400: the body is no object with just the strings email, password"),
    Case(Requests.post("sessions", ""), "400: the body is no JSON at byte 0"),
    Case("GET /v1/sessions HTTP/1.1\r\nHost: u\r\n\r\n", "405: this path is for POST"),
    Case("GET /v1/users HTTP/1.1\r\nHost: u\r\n\r\n", "404: nothing is at this path"),
    Case("GET /v2/sessions HTTP/1.1\r\nHost: u\r\n\r\n", "404: GET of a path outside of /v1"),
    Case(
      "GET /v1/emails/a%4/availability HTTP/1.1\r\nHost: u\r\n\r\n",
      "400: the address in the path is not percent-encoded UTF-8"),
    Case(
      "GET /v1/emails/%FF/availability HTTP/1.1\r\nHost: u\r\n\r\n",
      "400: the address in the path is not percent-encoded UTF-8"),
    Case(
      "GET /v1/emails/\u{E9}@b/availability HTTP/1.1\r\nHost: u\r\n\r\n",
      "400: the address in the path is not percent-encoded UTF-8"),
  ]

  @Test(
    "the server answers a bad request with an error, records a complaint and runs no step of its script",
    arguments: cases)
  func complaint(_ example: Case) throws {
    let server = try plainServer(try .all("accept"))
    let client = try RawClient(server)
    client.send(example.request)
    #expect(client.answer().hasPrefix("HTTP/1.1 \(example.complaint.prefix(3)) "))
    #expect(server.ledger.complaints == [example.complaint])
    #expect(server.ledger.requests.isEmpty)
    #expect(server.ledger.registrations.isEmpty)
    client.send(Requests.check)
    #expect(client.answer() == Answers.available)
  }

  static let unframedCases = [
    Case("nonsense\r\n\r\n", "400: the request line is no \"METHOD /path HTTP/1.1\""),
    Case("GET /v1/x HTTP/2.0\r\n\r\n", "505: \"HTTP/2.0\" is not HTTP/1.1"),
    Case("GET /v1/x HTTP/1.1\r\n\r\n", "400: there is not one Host header"),
    Case("GET /v1/x HTTP/1.1\r\nHost: u\r\n folded\r\n\r\n", "400: a header is no \"Name: value\""),
    Case(
      "POST /v1/sessions HTTP/1.1\r\nHost: u\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "411: the body is sent in chunks, and has no Content-Length"),
    Case("POST /v1/sessions HTTP/1.1\r\nHost: u\r\n\r\n", "411: a POST has no Content-Length"),
    Case(
      "POST /v1/sessions HTTP/1.1\r\nHost: u\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n",
      "400: the Content-Length is no number"),
    Case(
      "POST /v1/sessions HTTP/1.1\r\nHost: u\r\nContent-Length: 1048576\r\n\r\n",
      "413: the request is larger than 1048576 bytes"),
    Case(
      "GET /v1/x HTTP/1.1\r\nHost: \(String(repeating: "x", count: 1_100_000))",
      "431: the request is larger than 1048576 bytes"),
  ]

  @Test("the server closes the connection if it cannot find the next request", arguments: unframedCases)
  func unframed(_ example: Case) throws {
    let server = try plainServer(try .all("accept"))
    let client = try RawClient(server)
    client.send(example.request)
    let (text, ending) = client.rest()
    #expect(text.hasPrefix("HTTP/1.1 \(example.complaint.prefix(3)) "))
    #expect(text.range("\r\nConnection: close\r\n") != nil)
    #expect(ending == .finished)
    #expect(server.ledger.complaints == [example.complaint])
  }

  @Test("the server refuses an Idempotency-Key of another registration")
  func keyUsedTwice() throws {
    let server = try plainServer(try .all("accept"))
    let client = try RawClient(server)
    client.send(Requests.register)
    _ = client.answer()
    client.send(Requests.registration(id: "i2"))
    #expect(client.answer().hasPrefix("HTTP/1.1 400 "))
    client.send(Requests.registration(email: "other@b.cd"))
    #expect(client.answer().hasPrefix("HTTP/1.1 400 "))
    let complaint = "400: the Idempotency-Key is another registration's"
    #expect(server.ledger.complaints == [complaint, complaint])
    #expect(server.ledger.registrations.count == 1)
  }

  @Test("the server requires the bearer token if it has one")
  func bearer() throws {
    let server = try plainServer(try .all("accept"), bearerToken: "t0ken")
    let client = try RawClient(server)
    client.send(Requests.check)
    #expect(client.answer().hasPrefix("HTTP/1.1 401 "))
    client.send("GET /v1/emails/a/availability HTTP/1.1\r\nHost: u\r\nAuthorization: Bearer other\r\n\r\n")
    #expect(client.answer().hasPrefix("HTTP/1.1 401 "))
    client.send("GET /v1/emails/a/availability HTTP/1.1\r\nHost: u\r\nauthorization:Bearer t0ken \r\n\r\n")
    #expect(client.answer() == Answers.available)
    let complaint = "401: the bearer token is missing or wrong"
    #expect(server.ledger.complaints == [complaint, complaint])
  }

  @Test("requests may arrive byte by byte, joined together, and with Connection: close")
  func framing() throws {
    let server = try plainServer(try .all("accept"))
    let client = try RawClient(server)
    for character in Requests.register.unicodeScalars { client.send(String(character)) }
    #expect(client.answer() == Answers.created)
    client.send(Requests.register + Requests.check + Requests.signIn)
    for answer in [Answers.again, Answers.unavailable, Answers.again] { #expect(client.answer() == answer) }
    client.send("GET /v1/emails/a/availability HTTP/1.1\r\nHost: u\r\nConnection: Close\r\n\r\n")
    let (text, ending) = client.rest()
    #expect(text == Answers.json("200 OK", "{\"available\":true}", "Connection: close\r\n"))
    #expect(ending == .finished)
    #expect(server.ledger.complaints.isEmpty)
  }

  @Test("the server answers Expect: 100-continue with 100 Continue")
  func expectation() throws {
    let server = try plainServer(try .all("accept"))
    let client = try RawClient(server)
    let request = Requests.signIn.replacing("Host: u\r\n", with: "Host: u\r\nExpect: 100-continue\r\n")
    let body = try #require(request.range("\r\n\r\n")).upperBound
    client.send(String(request[..<body]))
    let interim = "HTTP/1.1 100 Continue\r\n\r\n"
    #expect(client.text(of: interim.utf8.count) == interim)
    client.send(String(request[body...]))
    #expect(client.answer() == Answers.json("200 OK", "{\"id\":\"a@b.cd\"}"))
  }
}
