import Reasons
import Testing

@testable import Doors

struct DovecotExchangeTests {
  /// The output after one AUTH with this response.
  private func said(_ mechanism: String, _ response: String, _ answer: DoorAnswer = .wrong) -> String {
    var stage = DovecotStage()
    stage.send("AUTH\t1\t\(mechanism)\tresp=\(response)") { _ in answer }
    return stage.hasEnded ? "\(stage.said)closed" : stage.said
  }

  @Test(
    "an invalid base64 response fails with `invalid_base64` and asks no question",
    arguments: [
      "A", "AA", "AAA", "AAAAA", "A===", "====", "AB=A", "AAA=AAAA", "AA A", "AAA\t", "AAAA\tnologin", "AB==", "*",
      "AA-_",
    ])
  func invalid(_ response: String) {
    #expect(said("PLAIN", response) == "FAIL\t1\tcode=invalid_base64\n")
    #expect(said("LOGIN", response) == "FAIL\t1\tcode=invalid_base64\n")
    var stage = DovecotStage()
    stage.send("AUTH\t1\tPLAIN", "CONT\t1\t\(response)")
    #expect(stage.said == "CONT\t1\t\nFAIL\t1\tcode=invalid_base64\n" && stage.asked.isEmpty)
  }

  @Test("an authorization identity other than the login fails with `authz_fail`")
  func identity() {
    #expect(said("PLAIN", "me\0you\0secret".encoded) == "FAIL\t1\tcode=authz_fail\n")
    #expect(said("PLAIN", "you@example.org\0you\0secret".encoded) == "FAIL\t1\tcode=authz_fail\n")
    #expect(said("PLAIN", "you\0you\0secret".encoded, .right(.you)) == "OK\t1\tuser=you@example.org\n")
  }

  @Test("an unknown mechanism or a malformed PLAIN response fails without a question")
  func malformed() {
    for mechanism in ["CRAM-MD5", "XPLAIN", ""] { #expect(said(mechanism, "AAAA") == "FAIL\t1\n") }
    for response in ["you", "\0you", "="] {
      #expect(said("PLAIN", response == "=" ? "=" : response.encoded, .right(.you)) == "FAIL\t1\n")
    }
  }

  @Test("each verdict has its own reply; a single request that gets `away` closes the connection")
  func verdicts() {
    let response = "\0you\0secret".encoded
    #expect(said("PLAIN", response, .away(reason: .storeUnavailable)) == "closed")
    #expect(said("PLAIN", response, .wrong) == "FAIL\t1\tuser=you\n")
    #expect(
      said("PLAIN", response, .refused(reason: .accountPending))
        == "FAIL\t1\tuser=you\tuser_disabled\tcode=user_disabled\n")
    #expect(
      said("PLAIN", response, .refused(reason: .groupRequired))
        == "FAIL\t1\tuser=you\tuser_disabled\tcode=user_disabled\n")
    #expect(said("plain", response, .right(.you)) == "OK\t1\tuser=you@example.org\n")
    #expect(said("plain", response, .right(.member)) == "OK\t1\tuser=you@example.org\tgroups=admins,staff\n")
  }

  @Test("neither a login nor an account's name can add a line or a field to a reply")
  func echoes() {
    let login = "you\nOK\t1\tuser=root\r\u{1}"
    let escaped = "you\u{1}nOK\u{1}t1\u{1}tuser=root\u{1}r\u{1}1"
    #expect(said("PLAIN", "\0\(login)\0secret".encoded) == "FAIL\t1\tuser=\(escaped)\n")
    var stage = DovecotStage()
    stage.send("AUTH\t1\tLOGIN", "CONT\t1\t\((login + "\0").encoded)", "CONT\t1\t\("secret".encoded)") { _ in .wrong }
    #expect(stage.said.hasSuffix("\nFAIL\t1\tuser=\(escaped)\u{1}0\n"))
    let account = DoorAccount(id: DoorAccount.you.id, name: login)
    #expect(said("PLAIN", "\0you\0secret".encoded, .right(account)) == "OK\t1\tuser=\(escaped)\n")
  }

  @Test("a login longer than any address is not echoed, because programs fail on long lines")
  func longLogin() {
    let longest = String(repeating: "\t", count: 1024)
    #expect(said("PLAIN", "\0\(longest)\0secret".encoded).utf8.count == 2048 + "FAIL\t1\tuser=\n".utf8.count)
    #expect(said("PLAIN", "\0\(longest)\t\0secret".encoded) == "FAIL\t1\n")
    var stage = DovecotStage()
    stage.send("AUTH\t1\tLOGIN", "CONT\t1\t\((longest + "ab").encoded)", "CONT\t1\t\("secret".encoded)") { _ in .wrong }
    #expect(stage.said.hasSuffix("\nFAIL\t1\n") && stage.asked == [longest + "a||secret|"])
  }

  @Test("the protocol takes the origin from `rip`, unescaped and up to 512 bytes, and ignores other parameters")
  func parameters() {
    var stage = DovecotStage()
    stage.send(
      "AUTH\t1\tPLAIN\tservice=smtp\tnologin\tlip=::1\trip=192.0.2.7\u{1}t\u{1}\u{1}1\tsecured\tresp=\("\0you\0p w\u{1}".encoded)"
    )
    #expect(stage.asked == ["you||p w\u{1}|192.0.2.7\t\u{1}1"])
    stage.send("AUTH\t2\tPLAIN\trip=\(String(repeating: "x", count: 600))\tresp=\("\0me\0".encoded)")
    #expect(stage.asked[1] == "me|||" + String(repeating: "x", count: 512))
    #expect(stage.said.isEmpty)
  }

  @Test("PLAIN without a response, or with Exim's empty one, gets an empty CONT that asks for it")
  func plain() {
    for parameters in ["", "\trip=192.0.2.7", "\tresp=", "\trip=192.0.2.7\tresp="] {
      var stage = DovecotStage()
      stage.send("AUTH\t1\tPLAIN\(parameters)")
      #expect(stage.said == "CONT\t1\t\n")
      stage.send("CONT\t1\t\("\0you\0secret".encoded)")
      #expect(stage.asked == ["you||secret|\(parameters.contains("rip") ? "192.0.2.7" : "")"])
      stage.answer(.right(.you))
      #expect(stage.said == "CONT\t1\t\nOK\t1\tuser=you@example.org\n" && !stage.hasEnded)
    }
  }

  @Test("LOGIN gets prompts for name and password, or only for the password if the name is sent")
  func login() {
    var stage = DovecotStage()
    stage.send("AUTH\t1\tLOGIN\trip=192.0.2.7")
    #expect(stage.said == "CONT\t1\t\("Username:".encoded)\n")
    stage.send("CONT\t1\t\("ü@example.org".encoded)")
    #expect(stage.said == "CONT\t1\t\("Username:".encoded)\nCONT\t1\t\("Password:".encoded)\n" && stage.asked.isEmpty)
    stage.send("CONT\t1\t\("secret".encoded)")
    #expect(stage.asked == ["ü@example.org||secret|192.0.2.7"])
    stage = DovecotStage()
    stage.send("AUTH\t1\tlogin\tresp=\("you".encoded)")
    #expect(stage.said == "CONT\t1\t\("Password:".encoded)\n")
    stage.send("CONT\t1")
    #expect(stage.asked == ["you|||"])
  }

  @Test("base64 of every length is decoded to its bytes")
  func base64() {
    for count in 0..<260 {
      let password = String((0..<count).map { Character(UnicodeScalar(UInt8($0 % 128))) })
      var stage = DovecotStage()
      stage.send("AUTH\t1\tPLAIN\tresp=\("\0you\0\(password)".encoded)")
      #expect(stage.asked == ["you||\(password)|"])
    }
  }
}
