import LoginVerdicts
import Testing

@Suite("Client addresses and login names")
struct ClientAddressTests {
  private func canonical(_ text: String) -> String {
    String(decoding: ClientAddress.canonical(text.utf8), as: UTF8.self)
  }

  @Test("a client's address excludes the port, which differs on each connection")
  func ports() {
    for port in ["", ":1", ":40001", ":65535"] {
      #expect(canonical("198.51.100.7\(port)") == "198.51.100.7")
      #expect(canonical("[2001:db8::7]\(port)") == "2001:db8::/64")
      #expect(canonical(" \"[2001:db8::7]\(port)\"\t") == "2001:db8::/64")
      #expect(canonical("client.example.org\(port)") == "client.example.org")
    }
  }

  @Test(
    "any other text stays unchanged",
    arguments: [
      "", "unknown", "192.0.2.7", "192.0.2.007", "user:7", "a.b:", "a.b:123456", "a.b:1x",
      "[", "[]", "[]:1", "[::1", "[::1]x", "[::1]:x", "\"", ":1", "ü.example:7", ":", ":::", "1::2::3", "::1:", ":1::",
      "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::12345", "::g", "::+1", "::192.0.2", "::192.0.2.256",
      "::192.0.2.01", "::192.0.2.1:1", "1:2:3:4:5:6:7:192.0.2.1", "::1/64",
    ])
  func others(_ text: String) {
    #expect(canonical(text) == text)
  }

  @Test("every spelling of an IPv6 address becomes its /64 network, and a mapped IPv4 address becomes IPv4")
  func spellings() {
    for (text, one) in [
      ("2001:db8::8", "2001:db8::/64"), ("2001:DB8::8", "2001:db8::/64"), ("2001:0db8:0:0:0:0:0:8", "2001:db8::/64"),
      ("2001:db8::0.0.0.8", "2001:db8::/64"), ("2001:db8::1:2:3:4", "2001:db8::/64"),
      ("2001:db8:0:0::", "2001:db8::/64"),
      ("2001:db8:0:1::8", "2001:db8:0:1::/64"), ("2001:0:0:1:5:6:7:8", "2001:0:0:1::/64"),
      ("1:2:3:4:5:6:7::", "1:2:3:4::/64"),
      ("::1", "::/64"), ("::", "::/64"), ("fe80::1%eth0", "fe80::/64"), ("[fe80::1%25eth0]:1", "fe80::/64"),
      ("::ffff:5.5.5.4", "5.5.5.4"), ("::FFFF:505:504", "5.5.5.4"), ("0:0:0:0:0:ffff:0505:0504", "5.5.5.4"),
      ("[::ffff:5.5.5.4]:40001", "5.5.5.4"), ("::fffe:5.5.5.4", "::/64"),
    ] {
      #expect(canonical(text) == one, "\(text)")
    }
  }

  @Test("the address from a list is the last entry, which the proxy itself wrote")
  func lists() {
    for (list, last) in [
      ("192.0.2.9, 198.51.100.7:40001", "198.51.100.7"), ("a,[2001:db8::7]:1", "2001:db8::/64"), ("192.0.2.9,", ""),
      (",", ""), ("", ""), ("192.0.2.9:1", "192.0.2.9"),
    ] {
      #expect(String(decoding: ClientAddress.last(of: list.utf8), as: UTF8.self) == last, "\(list)")
    }
  }

  @Test("a login name that could end a line or a field in another program is invalid")
  func names() {
    for end in ["\n", "\r\n", "\0", "\t", "\u{1B}", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}"] {
      for name in ["ann\(end)", "\(end)ann", "an\(end)n"] { #expect(LoginText.name(name.utf8) == nil, "\(name)") }
    }
    #expect(LoginText.name([0xFF]) == nil)
    for name in ["", " ", "\u{200E}\u{FEFF} "] { #expect(LoginText.name(name.utf8) == nil) }
  }

  @Test("LoginText removes spaces and invisible marks around a name, and keeps spaces inside it")
  func margins() {
    for margin in [" ", "  ", "\u{A0}", "\u{3000}", "\u{200E}", "\u{2068}", "\u{FEFF}", "\u{200B} "] {
      #expect(LoginText.name("\(margin)a n\(margin)".utf8) == "a n", "\(margin.unicodeScalars.map(\.value))")
    }
  }
}
