import JSONRPC
import Registration
import Testing

@testable import HTTPNetwork

@Suite("Requests")
struct RequestTests {
  private func body(_ request: UpstreamRequest) throws -> String {
    let body = try #require(request.body())
    return withExtendedLifetime(body) { String(decoding: body.bytes, as: UTF8.self) }
  }

  @Test(
    "an address is encoded as a single path segment",
    arguments: [
      ("name@example.com", "name%40example.com"), ("a/b@c", "a%2Fb%40c"), ("../x@y", "..%2Fx%40y"),
      ("a+b%c?d#e@f", "a%2Bb%25c%3Fd%23e%40f"), ("Az09-._~", "Az09-._~"), ("\u{E9}@\u{5BC6}", "%C3%A9%40%E5%AF%86"),
      (" \n\u{0}\u{7F}", "%20%0A%00%7F"),
    ])
  func segments(_ text: String, _ expected: String) {
    #expect(UpstreamRequest.pathSegment(text) == expected)
    #expect(UpstreamRequest.availability(.of(text)).path == "/emails/\(expected)/availability")
  }

  @Test("a registration request has this key, this path and exactly this body")
  func registration() throws {
    let id = try #require(AccountID("0198C0FF-EE00-7000-8000-000000000001"))
    let request = UpstreamRequest.registration(
      UpstreamRegistration(id: id, email: .of("\"q\"@example.com"), passwordHash: PasswordHash(phc: "$x$y\"")))
    let text = "0198c0ff-ee00-7000-8000-000000000001"
    #expect(request.idempotencyKey == text)
    #expect(request.path == "/registrations")
    #expect(
      try body(request) == #"{"id":"\#(text)","email":"\"q\"@example.com","passwordHash":"$x$y\""}"#)
  }

  @Test(
    "a password is escaped as JSON requires, and a JSON parser reads it back unchanged",
    arguments: [
      "", "plain", "\"", "\\", "a\"b\\c", "\u{0}\u{1}\u{1F}\n\t\u{7F}", "p\u{E4}ss \u{5BC6}\u{1F600}", "\"\"\"",
    ])
  func session(_ password: String) throws {
    let request = UpstreamRequest.session(.of("name@example.com"), Password(utf8: Array(password.utf8)))
    #expect(request.path == "/sessions")
    #expect(request.idempotencyKey == nil)
    let text = try body(request)
    var tape = JSONTape()
    let members = try Array(text.utf8).withUnsafeBytes { bytes in
      try JSONDocument.read(bytes, tape: &tape) { [$0.member("email")?.string, $0.member("password")?.string] }
    }
    #expect(members == ["name@example.com", password])
  }

  @Test("a password is written with exactly these escapes")
  func escapes() throws {
    let request = UpstreamRequest.session(.of("x@y"), Password(utf8: [0x22, 0x5C, 0x0A, 0x1F, 0x41]))
    #expect(try body(request) == #"{"email":"x@y","password":"\"\\\u000a\u001fA"}"#)
  }

  @Test("a report withholds text that could contain an address")
  func harmless() {
    #expect(HTTPReport.harmless("Could not resolve host: a.example") == "Could not resolve host: a.example")
    #expect(HTTPReport.harmless("bad URL /emails/x") == "(withheld)")
    #expect(HTTPReport.harmless("x name@example.com") == "(withheld)")
    #expect(HTTPReport.harmless("x name%40example.com") == "(withheld)")
    #expect(HTTPReport.harmless("a\nb\u{1B}[0m\u{E9}") == "ab[0m")
  }
}
