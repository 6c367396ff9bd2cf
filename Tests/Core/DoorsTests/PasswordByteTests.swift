import Registration
import TestDoubles
import Testing

@testable import Doors

/// Tests that passwords of 1 to 256 characters, with every byte of UTF-8, arrive at the login service unchanged through each
/// protocol.
struct PasswordByteTests {
  @Test("the corpus contains every byte that UTF-8 allows")
  func bytes() {
    let all = Set(PasswordCorpus.everyByte.flatMap(\.utf8))
    let possible = Set<UInt8>(1...0xBF).union(0xC2...0xF4)
    #expect(possible.subtracting(all).isEmpty, "\(possible.subtracting(all).sorted())")
  }

  private func arrived<Machine: LoginProtocol>(_ machine: Machine, _ bytes: [UInt8]) -> [UInt8]? {
    var stage = LoginProtocolStage(machine)
    stage.send(bytes)
    guard case .signIn(let login)? = stage.asked.last else { return nil }
    return login.password.withBytes { Array($0) }
  }

  @Test("saslauthd passes on passwords of up to 1024 bytes unchanged")
  func saslauthd() {
    for password in PasswordCorpus.everyByte where password.utf8.count <= SaslauthdLoginProtocol.longest {
      let strings = ["you@example.org", password, "smtp", ""].map { Array($0.utf8) }
      let request = strings.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
      #expect(arrived(SaslauthdLoginProtocol(), request) == Array(password.utf8))
    }
  }

  @Test("dovecot passes on passwords unchanged with PLAIN and LOGIN")
  func dovecot() {
    for password in PasswordCorpus.everyByte {
      let plain = "AUTH\t1\tPLAIN\tresp=\("\0you@example.org\0\(password)".encoded)\n"
      let login = "AUTH\t1\tLOGIN\nCONT\t1\t\("you@example.org".encoded)\nCONT\t1\t\(password.encoded)\n"
      for request in [plain, login] {
        let bytes = Array((DovecotStage.handshake + request).utf8)
        #expect(arrived(DovecotLoginProtocol(DovecotStage.greeting), bytes) == Array(password.utf8))
      }
    }
  }

  @Test("http passes on passwords unchanged")
  func http() {
    for password in PasswordCorpus.everyByte {
      let request = "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic \("you@example.org:\(password)".encoded)\r\n\r\n"
      #expect(arrived(HTTPLoginProtocol(isTrusted: false), Array(request.utf8)) == Array(password.utf8))
    }
  }
}
