import Testing

@testable import Doors

struct DovecotHandshakeTests {
  @Test(
    "a command that is out of order, unknown or malformed, or another major version, ends the connection",
    arguments: [
      "VERSION\t2\t0\n", "VERSION\t11\t0\n", "VERSION\n", "CPID\t1\n", "AUTH\t1\tPLAIN\n", "\n",
      "VERSION\t1\t2\nAUTH\t1\tPLAIN\n", "VERSION\t1\t2\nVERSION\t1\t2\n",
      "VERSION\t1\t2\nCONT\t1\t\n", "VERSION\t1\t2\nCANCEL\t1\n",
      DovecotStage.handshake + "CPID\t1\n", DovecotStage.handshake + "VERSION\t1\t2\n",
      DovecotStage.handshake + "QUIT\n", DovecotStage.handshake + "\n", DovecotStage.handshake + "auth\t1\tPLAIN\n",
      DovecotStage.handshake + "AUTHX\t1\tPLAIN\n", DovecotStage.handshake + "AUTH\n",
      DovecotStage.handshake + "AUTH\t1\n", DovecotStage.handshake + "AUTH\t\tPLAIN\n",
      DovecotStage.handshake + "AUTH\t-1\tPLAIN\n", DovecotStage.handshake + "AUTH\t+1\tPLAIN\n",
      DovecotStage.handshake + "AUTH\t4294967296\tPLAIN\n", DovecotStage.handshake + "AUTH\t1\u{1}n\tPLAIN\n",
      DovecotStage.handshake + "CONT\tx\t\n", DovecotStage.handshake + "CANCEL\n",
    ])
  func refused(_ text: String) {
    var stage = LoginProtocolStage(DovecotLoginProtocol(DovecotStage.greeting))
    stage.send(text)
    #expect(stage.hasEnded && stage.text == DovecotStage.greeting.text && stage.asked.isEmpty)
  }

  @Test("regd sends its greeting first, with MECH before SPID")
  func greeting() {
    let stage = LoginProtocolStage(DovecotLoginProtocol(DovecotStage.greeting))
    #expect(
      stage.text == """
        VERSION\t1\t2
        MECH\tPLAIN\tplaintext
        MECH\tLOGIN\tplaintext
        SPID\t7
        CUID\t9
        COOKIE\t0123456789abcdef0123456789abcdef
        DONE

        """)
    #expect(!stage.hasEnded)
  }

  @Test("each greeting has its own cookie and connection number")
  func greetings() {
    let greetings = DovecotGreetings()
    let all = (0..<100).map { _ in greetings.next() }
    #expect(Set(all.map(\.connection)).count == 100 && Set(all.map(\.cookie)).count == 100)
    #expect(Set(all.map(\.process)).count == 1 && all[0].process > 0)
    #expect(all.allSatisfy { $0.cookie.utf8.count == 32 && $0.cookie.allSatisfy { "0123456789abcdef".contains($0) } })
  }

  @Test("a line longer than 16 KiB ends the connection, with or without its line feed")
  func longLine() {
    let longest = String(repeating: "x", count: 16_384 - "AUTH\t1\tPLAIN\t".utf8.count)
    var stage = DovecotStage()
    stage.send("AUTH\t1\tPLAIN\t\(longest)")
    #expect(stage.said == "CONT\t1\t\n")
    stage.send("AUTH\t2\tPLAIN\t\(longest)x")
    #expect(stage.said == "CONT\t1\t\n" && stage.hasEnded)
    var unfinished = LoginProtocolStage(DovecotLoginProtocol(DovecotStage.greeting))
    unfinished.send([UInt8](repeating: 0x41, count: 16_384), pieces: [1])
    #expect(!unfinished.hasEnded)
    unfinished.send("A")
    #expect(unfinished.hasEnded)
  }
}
