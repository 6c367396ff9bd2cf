import DoorHelpers
import LoginVerdicts
import Testing

@Suite("Credentials from other programs")
struct CredentialsTests {
  private func email(_ login: String, _ realm: String?) -> String? {
    Credentials(login: login.utf8, password: "p".utf8, realm: realm)?.email
  }

  @Test("a login with an @ is the address, and the realm or regd completes any other login")
  func names() {
    #expect(email("a@b.cc", "d.ee") == "a@b.cc")
    #expect(email("a@b@c", "d.ee") == "a@b@c")
    #expect(email("A b", "d.ee") == "A b@d.ee")
    #expect(email("a", nil) == "a")
    #expect(email("a", "") == "a")
    #expect(email("", "d.ee") == nil)
    #expect(email("a", "d\0.ee") == nil)
  }

  @Test("a name or password that is empty, is not UTF-8 or contains a NUL is rejected")
  func impossible() {
    for bytes in [[], [0], [0xFF], [0x61, 0], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      #expect(Credentials(login: "a@b.cc".utf8, password: bytes, realm: nil) == nil, "\(bytes)")
      #expect(Credentials(login: bytes, password: "p".utf8, realm: "b.cc") == nil, "\(bytes)")
    }
    // every other ASCII character is accepted
    for byte in UInt8(1)...0x7F {
      #expect(Credentials(login: "a@b.cc".utf8, password: [byte], realm: nil)?.password.utf8.first == byte)
    }
  }

  @Test("a name or realm that could end a line or a field is rejected, and spaces around it are ignored")
  func fields() {
    for end in ["\n", "\r", "\t", "\u{1B}", "\u{85}", "\u{2028}"] {
      #expect(email("ann@x.org\(end)", nil) == nil && email("ann\(end)", "x.org") == nil)
      #expect(email("ann", "x.org\(end)") == nil)
    }
    #expect(email(" ann\u{A0}", "x.org ") == "ann@x.org")
    #expect(email("ann@x.org ", nil) == "ann@x.org")
  }

  @Test("a name or password that is longer than any account's is rejected")
  func long() {
    let long = Array(repeating: UInt8(ascii: "p"), count: 65_537)
    #expect(Credentials(login: "a@b.cc".utf8, password: long, realm: nil) == nil)
    #expect(Credentials(login: long, password: "p".utf8, realm: "b.cc") == nil)
    #expect(Credentials(login: "a@b.cc".utf8, password: long.dropLast(), realm: nil) != nil)
  }

  @Test("the port is removed from an origin")
  func ports() {
    for (text, address) in [("198.51.100.7:40001", "198.51.100.7"), ("[2001:db8::7]:40001", "2001:db8::/64")] {
      #expect(Credentials(login: "a@b.cc".utf8, password: "p".utf8, realm: nil, origin: text)?.origin == address)
    }
  }

  @Test("an origin is cut to 128 bytes between two characters, and an empty origin is ignored")
  func origins() {
    func origin(_ text: String?) -> String? {
      Credentials(login: "a@b.cc".utf8, password: "p".utf8, realm: nil, origin: text)?.origin
    }
    #expect(origin(nil) == nil)
    #expect(origin("") == nil)
    #expect(origin("::1") == "::/64")
    let exact = String(repeating: "x", count: 128)
    #expect(origin(exact) == exact)
    #expect(origin(exact + "y") == exact)
    #expect(origin("x" + String(repeating: "é", count: 64)) == "x" + String(repeating: "é", count: 63))
    #expect(origin("xx" + String(repeating: "😀", count: 32)) == "xx" + String(repeating: "😀", count: 31))
  }

  @Test("every reason has a verdict, and the verdict for an unknown reason is away")
  func verdicts() {
    for reason in ["credentials.rejected", "validation.failed", "rpc.invalidParams"] {
      #expect(LoginVerdict(reason: reason) == .wrong)
    }
    for reason in ["account.disabled", "account.pending", "account.waiting", "group.required"] {
      #expect(LoginVerdict(reason: reason) == .refused)
    }
    for reason in ["", "store.unavailable", "rate.limited", "access.denied", "credentials.rejecte", "account.new"] {
      #expect(LoginVerdict(reason: reason) == .away)
    }
  }
}
