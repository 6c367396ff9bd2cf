import Registration
import Testing

@testable import Doors

/// Passwords of 1 to 256 characters, of every byte that UTF-8 has, arrive at the desk as they were sent, through each protocol.
struct PasswordByteTests {
  /// Passwords of each length, whose characters together have every byte of UTF-8 but NUL: all of one and two bytes, and one each of all
  /// leading bytes of three and four.
  static let passwords: [String] = {
    let scalars =
      (1...0x7FF).compactMap { UnicodeScalar($0) }
      + (0...15).compactMap { UnicodeScalar($0 == 0 ? 0x0801 : UInt32($0) << 12 | 0x41) }
      + [0x1_0041, 0x5_0041, 0x9_0041, 0xD_0041, 0x10_0041].compactMap { UnicodeScalar(UInt32($0)) }
    let characters = scalars.map { String($0) } + [" ", ":", "\t", "\"", "\\", "::", "\u{1}t"]
    return (1...256).map { length in
      (0..<length).map { characters[($0 * 257 + length * 31) % characters.count] }.joined()
    } + stride(from: 0, to: characters.count, by: 200).map { characters[$0..<min($0 + 200, characters.count)].joined() }
  }()

  @Test("the passwords have every byte that UTF-8 has")
  func bytes() {
    let all = Set(Self.passwords.flatMap(\.utf8))
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
    for password in Self.passwords where password.utf8.count <= SaslauthdSpeaker.longest {
      let strings = ["you@example.org", password, "smtp", ""].map { Array($0.utf8) }
      let request = strings.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
      #expect(arrived(SaslauthdSpeaker(), request) == Array(password.utf8))
    }
  }

  @Test("dovecot, by PLAIN and by LOGIN")
  func dovecot() {
    for password in Self.passwords {
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
    for password in Self.passwords {
      let request = "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic \("you@example.org:\(password)".encoded)\r\n\r\n"
      #expect(arrived(HTTPSpeaker(isTrusted: false), Array(request.utf8)) == Array(password.utf8))
    }
  }
}
