import Linux
import Testing

@testable import SMTPMail

@Suite("The name in EHLO")
struct HeloNameTests {
  @Test(
    "the name is the full host name, from the host itself or from /etc/hosts",
    arguments: [
      ("mail.example.com", "", "mail.example.com"), ("mail", "127.0.1.1 mail.example.com mail\n", "mail.example.com"),
      (
        "mail", "# 1.2.3.4 mail.example.org mail\n::1 localhost\n192.0.2.7\tMail\tmail.example.com # mail",
        "mail.example.com"
      ),
      ("mail", "", nil), ("mail", "127.0.1.1 mail.localdomain mail", nil), ("mail", "127.0.1.1 mail", nil),
      ("localhost.localdomain", "", nil), ("mail", "127.0.1.1 other.example.com other", nil),
      ("a_b.example.com", "", nil),
      ("mail.", "", nil), ("", "127.0.1.1 other.example.com other", nil),
    ] as [(String, String, String?)])
  func full(_ name: String, _ hosts: String, _ expected: String?) {
    #expect(HeloName.fullName(name, hosts: hosts) == expected)
  }

  @Test("without a full host name, the name is the address from which regd reaches the server")
  func literal() throws {
    #expect(HeloName.literal("192.0.2.1") == "[192.0.2.1]")
    #expect(HeloName.literal("2001:db8::1") == "[IPv6:2001:db8::1]")
    #expect(OwnAddress.towards("127.0.0.1") == "127.0.0.1")
    #expect(OwnAddress.towards("localhost") == nil, "no name is looked up")
    for server in ["localhost", "127.0.0.1", "mail.example.com", "192.0.2.1"] {
      let name = HeloName.own(towards: server)
      #expect(HeloName.problem(name) == nil && name.contains("."), "\(name)")
    }
  }

  @Test(
    "a configured name is valid if it is a host name or an address in brackets",
    arguments: [
      ("mail.example.com", true), ("localhost", true), ("[192.0.2.1]", true), ("[IPv6:2001:db8::1]", true),
      ("192.0.2.1", true), ("mail example", false), ("mail.example.com\r\nX", false), ("[2001:db8::1]", false),
      ("[192.0.2.256]", false), ("[IPv6:192.0.2.1]", false), ("bücher.example", false), ("-a.example", false),
      ("a..example", false), ("[", false), ("a/b", false), ("a_b", false),
    ])
  func problems(_ name: String, _ isGood: Bool) { #expect((HeloName.problem(name) == nil) == isGood, "\(name)") }
}
