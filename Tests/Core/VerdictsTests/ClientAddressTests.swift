import Testing
import Verdicts

@Suite("Addresses of clients, and names of logins")
struct ClientAddressTests {
  private func withoutPort(_ text: String) -> String {
    String(decoding: ClientAddress.withoutPort(text.utf8), as: UTF8.self)
  }

  @Test("a port is no part of a client's address, because each connection has another one")
  func ports() {
    for port in ["", ":1", ":40001", ":65535"] {
      #expect(withoutPort("198.51.100.7\(port)") == "198.51.100.7")
      #expect(withoutPort("[2001:db8::7]\(port)") == "2001:db8::7")
      #expect(withoutPort(" \"[2001:db8::7]\(port)\"\t") == "2001:db8::7")
      #expect(withoutPort("client.example.org\(port)") == "client.example.org")
    }
  }

  @Test(
    "any other text stays as it is",
    arguments: [
      "", "unknown", "2001:db8::7", "::1", "::ffff:192.0.2.1", "fe80::1%eth0", "user:7", "a.b:", "a.b:123456", "a.b:1x",
      "[", "[]", "[]:1", "[::1", "[::1]x", "[::1]:x", "\"", ":1", "ü.example:7",
    ])
  func others(_ text: String) {
    #expect(withoutPort(text) == text)
  }

  @Test("of a list it is the last entry, which the proxy itself has written")
  func lists() {
    for (list, last) in [
      ("192.0.2.9, 198.51.100.7:40001", "198.51.100.7"), ("a,[2001:db8::7]:1", "2001:db8::7"), ("192.0.2.9,", ""),
      (",", ""), ("", ""), ("192.0.2.9:1", "192.0.2.9"),
    ] {
      #expect(String(decoding: ClientAddress.last(of: list.utf8), as: UTF8.self) == last, "\(list)")
    }
  }

  @Test("a name that could end a line or a field in another program is no name")
  func names() {
    for end in ["\n", "\r\n", "\0", "\t", "\u{1B}", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}"] {
      for name in ["ann\(end)", "\(end)ann", "an\(end)n"] { #expect(LoginText.name(name.utf8) == nil, "\(name)") }
    }
    #expect(LoginText.name([0xFF]) == nil)
    for name in ["", " ", "\u{200E}\u{FEFF} "] { #expect(LoginText.name(name.utf8) == nil) }
  }

  @Test("spaces and invisible marks around a name are ignored, and those within it stay")
  func margins() {
    for margin in [" ", "  ", "\u{A0}", "\u{3000}", "\u{200E}", "\u{2068}", "\u{FEFF}", "\u{200B} "] {
      #expect(LoginText.name("\(margin)a n\(margin)".utf8) == "a n", "\(margin.unicodeScalars.map(\.value))")
    }
  }
}
