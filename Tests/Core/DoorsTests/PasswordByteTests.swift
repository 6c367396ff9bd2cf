import Registration
import TestDoubles
import Testing

@testable import Doors

/// Passwords of 1 to 256 characters, of every byte that UTF-8 has, arrive at the desk as they were sent, through each protocol.
struct PasswordByteTests {
  @Test("the passwords have every byte that UTF-8 has")
  func bytes() {
    let all = Set(PasswordCorpus.everyByte.flatMap(\.utf8))
    let possible = Set<UInt8>(1...0xBF).union(0xC2...0xF4)
    #expect(possible.subtracting(all).isEmpty, "\(possible.subtracting(all).sorted())")
  }

  private func arrived<Voice: Speaker>(_ voice: Voice, _ bytes: [UInt8]) -> [UInt8]? {
    var stage = SpeakerStage(voice)
    stage.send(bytes)
    guard case .signIn(let login)? = stage.asked.last else { return nil }
    return login.password.withBytes { Array($0) }
  }

  @Test("saslauthd, to its 1024 bytes")
  func saslauthd() {
    for password in PasswordCorpus.everyByte where password.utf8.count <= SaslauthdSpeaker.longest {
      let strings = ["you@example.org", password, "smtp", ""].map { Array($0.utf8) }
      let request = strings.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
      #expect(arrived(SaslauthdSpeaker(), request) == Array(password.utf8))
    }
  }

  @Test("dovecot, by PLAIN and by LOGIN")
  func dovecot() {
    for password in PasswordCorpus.everyByte {
      let plain = "AUTH\t1\tPLAIN\tresp=\("\0you@example.org\0\(password)".encoded)\n"
      let login = "AUTH\t1\tLOGIN\nCONT\t1\t\("you@example.org".encoded)\nCONT\t1\t\(password.encoded)\n"
      for request in [plain, login] {
        let bytes = Array((DovecotStage.handshake + request).utf8)
        #expect(arrived(DovecotSpeaker(DovecotStage.greeting), bytes) == Array(password.utf8))
      }
    }
  }

  @Test("http, as far as a head goes")
  func http() {
    for password in PasswordCorpus.everyByte {
      let request = "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic \("you@example.org:\(password)".encoded)\r\n\r\n"
      #expect(arrived(HTTPSpeaker(isTrusted: false), Array(request.utf8)) == Array(password.utf8))
    }
  }
}
