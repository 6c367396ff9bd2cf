import Reasons
import Testing

@testable import Doors

struct DovecotSplitTests {
  @Test("the answers do not depend on how the bytes are split")
  func splits() {
    let text =
      DovecotStage.handshake + "AUTH\t1\tPLAIN\trip=192.0.2.7\tresp=\("\0ü\nx\0secret".encoded)\nAUTH\t2\tLOGIN\n"
      + "CONT\t2\t\("a".encoded)\nCONT\t2\t\("b".encoded)\nAUTH\t3\tPLAIN\tresp=\nCANCEL\t3\nAUTH\t3\tFOO\nQUIT\nAUTH\t4\tPLAIN\n"
    let played = inAnySplit(Array(text.utf8), of: { DovecotLoginProtocol(DovecotStage.greeting) }, { _ in .wrong })
    #expect(played.differing.isEmpty)
    #expect(played.asked == ["ü\nx||secret|192.0.2.7", "a||b|"])
    #expect(
      String(decoding: played.output, as: UTF8.self).dropFirst(DovecotStage.greeting.text.count) == """
        FAIL\t1\tuser=ü\u{1}nx
        CONT\t2\tVXNlcm5hbWU6
        CONT\t2\tUGFzc3dvcmQ6
        FAIL\t2\tuser=a
        CONT\t3\t
        FAIL\t3

        """)
  }

  @Test(
    "random bytes never crash the protocol, and each line that it sends is a valid reply",
    arguments: 0..<300 as Range<UInt64>)
  func noise(_ seed: UInt64) {
    var generator = Seeded(seed)
    var stage = LoginProtocolStage(DovecotLoginProtocol(DovecotStage.greeting))
    stage.send(DovecotStage.handshake)
    let words = [
      "AUTH\t", "CONT\t", "CANCEL\t", "1", "2", "\t", "\tPLAIN", "\tLOGIN", "\tresp=", "\trip=", "\n", "\n", "\u{1}",
      "=",
      "a\n\0b\tOK\0c".encoded, "\0\nOK\t1\tuser=root\n\0c".encoded, "\0", "\r\n", "é",
    ]
    var lines = ""
    for _ in 0..<Int.random(in: 0...200, using: &generator) {
      if Bool.random(using: &generator) {
        lines += words.randomElement(using: &generator) ?? ""
      } else {
        let command = ["AUTH\t%\tPLAIN\tresp=", "AUTH\t%\tLOGIN\n", "CONT\t%\t", "CANCEL\t%\n"].randomElement(
          using: &generator)
        lines += (command ?? "").replacing("%", with: "\(Int.random(in: 0...9, using: &generator))")
        lines += (words.suffix(5).randomElement(using: &generator) ?? "") + "\n"
      }
    }
    let answers: [DoorAnswer] = [
      .right(.you), .wrong, .refused(reason: .accountDisabled), .away(reason: .storeUnavailable),
    ]
    var next = Int(seed % 4)
    stage.send(Array(lines.utf8), pieces: [Int.random(in: 1...50, using: &generator)]) { _ in
      next += 1
      return answers[next % 4]
    }
    for line in stage.text.dropFirst(DovecotStage.greeting.text.count).split(separator: "\n") {
      #expect(["OK", "FAIL", "CONT"].contains(line.prefix { $0 != "\t" }))
      #expect(!line.hasPrefix("OK") || line.hasSuffix("\tuser=you@example.org"))
    }
  }
}
