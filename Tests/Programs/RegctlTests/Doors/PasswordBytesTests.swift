import Linux
import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("Passwords through helpers, byte by byte", .blocking, .timeLimit(.minutes(10)))
struct PasswordBytesTests {
  /// A regd that accepts only the password that the test has in hand, and reveals nothing else.
  private func withPassword(_ body: (_ directory: String, _ hand: Seen) throws -> Void) throws {
    let hand = Seen()
    let regd = AnsweringRegd { params in
      let isRight = params["email"]?.string == "ann@x.org" && params["password"]?.string == hand.last
      return AnsweringRegd.reply(isRight ? AnsweringRegd.right : AnsweringRegd.refusal("credentials.rejected"))
    }
    try regd.with { directory in try body(directory, hand) }
  }

  @Test("the passwords of these tests contain every byte of UTF-8, and 1 to 256 characters")
  func passwords() {
    let bytes = Set(EveryByte.passwords.flatMap(\.utf8))
    #expect(bytes == Set(0x01...0xF4).subtracting([0xC0, 0xC1]))
    let counts = EveryByte.passwords.map(\.unicodeScalars.count)
    #expect(counts.min() == 1 && counts.max() == 256)
  }

  @Test("every password passes through the PAM module, and through pam_exec up to 511 bytes")
  func pam() throws {
    try withPassword { directory, hand in
      try PAM.service(directory, "socket=\(directory)/s domain=x.org")
      try PAM.stack(directory, socket: "\(directory)/s", "--domain x.org")
      for password in EveryByte.passwords {
        hand.add(password)
        for service in password.utf8.count <= 511 ? ["module", "stack"] : ["module"] {
          let output = try PAM.signIn(service, "ann", password, in: directory)
          #expect(PAM.code(output) == "PAM_SUCCESS", "\(service) \(password.debugDescription): \(output)")
        }
        #expect(PAM.code(try PAM.signIn("module", "ann", password + "x", in: directory)) == "PAM_AUTH_ERR")
      }
    }
  }

  @Test("every password passes through Apache's pipe and checkpassword's descriptor, if it fits")
  func handed() throws {
    try withPassword { directory, hand in
      for password in EveryByte.passwords {
        hand.add(password)
        try FileWriting.write(Array("ann\n\(password)\n".utf8), to: "\(directory)/apache")
        let apache = try Shell.run("$regctl helper apache --domain x.org <apache", "\(directory)/s", in: directory)
        // Apache passes line feeds unchanged, and more than two lines are wrong
        let isOneLine = !password.utf8.contains(UInt8(ascii: "\n"))
        #expect(apache.status == (isOneLine ? 0 : 1), "\(password.debugDescription): \(apache.output)")
        let entry = Array("ann\0\(password)\0Y1\0".utf8)
        try FileWriting.write(entry, to: "\(directory)/entry")
        let command = "$regctl helper checkpassword --domain x.org /bin/sh -c 'exit 9' 3<entry"
        let seen = try Shell.run(command, "\(directory)/s", in: directory)
        // an entry that does not fit cannot be judged
        #expect(seen.status == (entry.count <= 512 ? 9 : 111), "\(password.debugDescription): \(seen.output)")
      }
    }
  }

  @Test("every password passes through Squid's lines and ejabberd's strings")
  func asked() throws {
    try withPassword { directory, hand in
      for password in EveryByte.passwords {
        hand.add(password)
        let escaped = password.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        try TextFile.write("ann \(escaped)\n7 ann \(escaped)x\n", to: "\(directory)/squid")
        let squid = try Shell.run("$regctl helper squid --domain x.org <squid", "\(directory)/s", in: directory)
        #expect(squid.output == "OK\n7 ERR\n", "\(password.debugDescription)")
        let texts = ["auth:ann:x.org:\(password)", "auth:ann:x.org:\(password)x"].map { Array($0.utf8) }
        let frames = texts.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
        try FileWriting.write(frames, to: "\(directory)/ejabberd")
        let command = "$regctl helper ejabberd <ejabberd | od -An -tx1"
        let ejabberd = try Shell.run(command, "\(directory)/s", in: directory)
        #expect(ejabberd.output == " 00 02 00 01 00 02 00 00\n", "\(password.debugDescription): \(ejabberd.output)")
      }
    }
  }
}
