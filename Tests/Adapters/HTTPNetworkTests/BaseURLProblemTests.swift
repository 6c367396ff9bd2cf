import CurlTransfers
import Testing

@testable import HTTPNetwork

@Suite("Base URL")
struct BaseURLProblemTests {
  @Test(
    "an invalid base URL fails with the problem that it has",
    arguments: [
      ("", BaseURLProblem.empty), ("https://a b/", .unusableCharacter), ("https://a/\n", .unusableCharacter),
      ("https://b\u{FC}cher.example/", .unusableCharacter), ("https://a\\b/", .unusableCharacter),
      ("https://a/{x}", .unusableCharacter), ("https://a/\u{7F}", .unusableCharacter), ("upstream.example", .scheme),
      ("ftp://upstream.example", .scheme), ("file:///etc/passwd", .scheme), ("https:/upstream.example", .scheme),
      ("https:upstream.example", .scheme), ("//upstream.example", .scheme), ("https", .scheme), ("https://", .host),
      ("https:///path", .host), ("https://:443/", .host), ("https://upstream.example:", .port),
      ("https://upstream.example:/x", .port), ("https://upstream.example:0", .port),
      ("https://upstream.example:65536", .port), ("https://upstream.example:x", .port),
      ("https://upstream.example:-1", .port), ("https://user@upstream.example", .userInformation),
      ("https://user:password@upstream.example", .userInformation), ("https://@upstream.example", .userInformation),
      ("https://127.0.0.1@upstream.example", .userInformation), ("https://upstream.example?x=1", .query),
      ("https://upstream.example/?", .query), ("https://upstream.example/#", .fragment),
      ("https://upstream.example#x?y", .fragment), ("http://upstream.example", .plaintext),
      ("HTTP://upstream.example", .plaintext), ("http://127.0.0.1.example", .plaintext),
      ("http://128.0.0.1", .plaintext),
      ("http://localhost.example", .plaintext), ("http://[::2]/", .plaintext), ("http://0.0.0.0", .plaintext),
      ("http://10.0.0.1:80/x", .plaintext), ("http://[2001:db8::1]", .plaintext),
    ])
  func refused(_ text: String, _ problem: BaseURLProblem) {
    #expect(BaseURLProblem.of(text) == problem)
    #expect(BaseURLProblem.of(text, allowsPlaintext: true) == (problem == .plaintext ? nil : problem))
  }

  @Test(
    "a base URL that libcurl cannot parse fails with libcurl's message",
    arguments: ["https://[::1", "https://[x]/", "https://a,b/"])
  func unreadable(_ text: String) {
    guard case .unreadable(let words) = BaseURLProblem.of(text) else {
      Issue.record("\(String(describing: BaseURLProblem.of(text)))")
      return
    }
    #expect(!words.isEmpty)
  }

  @Test(
    "a valid base URL is accepted",
    arguments: [
      "https://upstream.example", "https://upstream.example/", "https://upstream.example//", "HTTPS://Upstream.Example",
      "https://upstream.example:8443/api/v1/", "https://upstream.example/@me/a%20b", "https://192.0.2.1",
      "https://[2001:db8::1]:8443", "https://xn--bcher-kva.example", "http://localhost", "http://LOCALHOST:8080/x",
      "http://127.0.0.1:8080", "http://127.255.255.254", "http://127.1", "http://[::1]:8080/", "http://[0:0::1]",
    ])
  func taken(_ text: String) { #expect(BaseURLProblem.of(text) == nil) }

  @Test("the base of a configuration omits trailing slashes of the URL")
  func base() {
    for (text, base) in [
      ("https://a", "https://a"), ("https://a/", "https://a"), ("https://a/b//", "https://a/b"),
    ] {
      #expect(HTTPNetwork.Configuration(baseURL: text).base == base)
    }
  }

  @Test("a configuration checks every other field, not only the base URL")
  func others() {
    let good = HTTPNetwork.Configuration(baseURL: "https://a", bearerToken: "x.y_z~+/=-")
    #expect(good.problem == nil)
    func broken(_ change: (inout HTTPNetwork.Configuration) -> Void) -> Bool {
      var configuration = good
      change(&configuration)
      return configuration.problem != nil
    }
    #expect(broken { $0.baseURL = "http://a" })
    #expect(broken { $0.bearerToken = "" })
    #expect(broken { $0.bearerToken = "a\r\nX: y" })
    #expect(broken { $0.bearerToken = "a b" })
    #expect(broken { $0.userAgent = "a\nb" })
    #expect(broken { $0.clientKeyFile = "/key" })
    #expect(broken { $0.connect = .zero })
    #expect(broken { $0.total = .seconds(-1) })
    #expect(broken { $0.maximumBodyBytes = 0 })
    #expect(broken { $0.maximumConnections = 0 })
    #expect(broken { $0.maximumWaiting = 0 })
  }
}
