import Reasons
import Testing

@testable import Doors

struct SaslauthdLoginProtocolTests {
  private func request(_ strings: String...) -> [UInt8] {
    strings.flatMap { [UInt8($0.utf8.count >> 8), UInt8($0.utf8.count & 0xFF)] + Array($0.utf8) }
  }

  private func answer(_ answer: DoorAnswer) -> (text: String, ends: Bool) {
    var stage = LoginProtocolStage(SaslauthdLoginProtocol())
    stage.send(request("you", "secret", "imap", "example.org")) { _ in answer }
    return (stage.text, stage.hasEnded)
  }

  @Test("`away` ends the connection without a reply")
  func away() {
    #expect(answer(.away(reason: .storeUnavailable, retryAfter: 3)) == ("", true))
  }

  @Test("`wrong` and `refused` become NO and `right` becomes OK, each after its length")
  func verdicts() {
    #expect(answer(.wrong) == ("\0\u{2}NO", true))
    #expect(answer(.refused(reason: .accountDisabled)) == ("\0\u{13}NO account.disabled", true))
    #expect(answer(.refused(reason: .groupRequired)) == ("\0\u{11}NO group.required", true))
    #expect(answer(.right(.you)) == ("\0\u{2}OK", true))
  }

  @Test("a string longer than 1024 bytes gets NO before its content arrives")
  func tooLong() {
    var stage = LoginProtocolStage(SaslauthdLoginProtocol())
    stage.send([0x04, 0x01])
    #expect(stage.text == "\0\u{b}NO too long" && stage.hasEnded && stage.asked.isEmpty)
    stage = LoginProtocolStage(SaslauthdLoginProtocol())
    stage.send(request(String(repeating: "n", count: 1024), "p", "s", "r"))
    #expect(stage.asked.count == 1)
  }

  @Test("the protocol uses the fifth string without its port if it arrives with the fourth, and does not wait for it")
  func fifth() {
    var stage = LoginProtocolStage(SaslauthdLoginProtocol())
    stage.send(request("you", "secret", "imap", "example.org", "192.0.2.7;4711") + [1, 2, 3])
    #expect(stage.asked.map(\.described) == ["you|example.org|secret|192.0.2.7"])
    stage = LoginProtocolStage(SaslauthdLoginProtocol())
    stage.send(request("you", "secret", "imap", "example.org") + [0, 9, 49])
    #expect(stage.asked.map(\.described) == ["you|example.org|secret|"])
    stage.answer(.wrong)
    #expect(stage.hasEnded)
  }

  @Test("the protocol drops a fifth string longer than 1024 bytes, whether it arrives with the fourth or later")
  func longFifth() {
    let four = request("you", "secret", "imap", "example.org")
    for pieces in [[.max], [four.count], [four.count + 1, .max], [four.count + 2, .max], [four.count + 1024, .max]] {
      var stage = LoginProtocolStage(SaslauthdLoginProtocol())
      stage.send(four + [0x04, 0x01] + [UInt8](repeating: 49, count: 1025), pieces: pieces) { _ in .right(.you) }
      #expect(stage.asked.map(\.described) == ["you|example.org|secret|"], "\(pieces)")
      #expect(stage.text == "\0\u{2}OK", "\(pieces)")
    }
  }

  @Test("the question does not depend on how the four strings are split")
  func splits() {
    let password = String((1...256).map { Character(UnicodeScalar($0 % 95 + 32) ?? " ") })
    let played = inAnySplit(
      request("ü@example.org", password, "smtp", ""), of: { SaslauthdLoginProtocol() }, { _ in .wrong })
    #expect(played.differing.isEmpty)
    #expect(played.asked == ["ü@example.org||\(password)|"])
  }

  @Test("random bytes never crash the protocol, and it asks at most once", arguments: 0..<200 as Range<UInt64>)
  func noise(_ seed: UInt64) {
    var generator = Seeded(seed)
    var stage = LoginProtocolStage(SaslauthdLoginProtocol())
    let bytes = (0..<Int.random(in: 0...3000, using: &generator)).map { index in
      index % 2 == 0 ? UInt8.random(in: 0...1, using: &generator) : UInt8.random(in: 0...255, using: &generator)
    }
    stage.send(bytes, pieces: [Int.random(in: 1...50, using: &generator)]) { _ in .wrong }
    #expect(stage.asked.count <= 1)
  }
}
