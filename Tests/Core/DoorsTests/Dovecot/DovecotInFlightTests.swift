import Reasons
import Testing

@testable import Doors

struct DovecotInFlightTests {
  private let away = DoorAnswer.away(reason: .networkUnavailable, retryAfter: 1)

  private func auth(_ id: Int, _ login: String) -> String { "AUTH\t\(id)\tPLAIN\tresp=\("\0\(login)\0secret".encoded)" }

  @Test("reusing an ID in flight ends the connection, whether the ID waits for its verdict or its caller")
  func twice() {
    var stage = DovecotStage()
    stage.send(auth(1, "a"), auth(1, "b"))
    #expect(stage.hasEnded && stage.said.isEmpty && stage.asked.count == 1)
    stage = DovecotStage()
    stage.send("AUTH\t1\tPLAIN", "AUTH\t01\tPLAIN")
    #expect(stage.hasEnded && stage.said == "CONT\t1\t\n")
  }

  @Test("after two requests were in flight together, `away` becomes a temporary FAIL and closes no connection")
  func shared() {
    var stage = DovecotStage()
    stage.send(auth(1, "a"), auth(2, "b\n"))
    stage.answer(away, at: 1)
    #expect(stage.said == "FAIL\t2\tuser=b\u{1}n\ttemp\tcode=temp_fail\n" && !stage.hasEnded)
    stage.answer(.wrong)
    stage.send(auth(3, "c")) { _ in .away(reason: .draining) }
    #expect(stage.said.hasSuffix("FAIL\t1\tuser=a\nFAIL\t3\tuser=c\ttemp\tcode=temp_fail\n") && !stage.hasEnded)
  }

  @Test("if AUTHs were sent one after another, `away` closes the connection")
  func alone() {
    var stage = DovecotStage()
    stage.send(auth(1, "a"), auth(1, "b"), auth(2, "c"), "AUTH\t3\tFOO", "AUTH\t3\tPLAIN\tresp=*") { _ in .wrong }
    stage.send(auth(4, "d"))
    let said = stage.said
    stage.answer(away)
    #expect(stage.hasEnded && stage.said == said)
  }

  @Test("an AUTH that waits for its caller counts as a second request in flight")
  func waitingBeside() {
    var stage = DovecotStage()
    stage.send("AUTH\t1\tPLAIN", "AUTH\t2\tLOGIN", "CONT\t1\t\("\0a\0secret".encoded)")
    stage.answer(away)
    #expect(stage.said.hasSuffix("FAIL\t1\tuser=a\ttemp\tcode=temp_fail\n") && !stage.hasEnded)
    stage = DovecotStage()
    stage.send("AUTH\t1\tPLAIN", "AUTH\t2\tLOGIN", "CANCEL\t1", auth(3, "c")) { _ in .away(reason: .busy) }
    #expect(stage.said.hasSuffix("FAIL\t3\tuser=c\ttemp\tcode=temp_fail\n") && !stage.hasEnded)
    stage = DovecotStage()
    stage.send(auth(1, "a"), "AUTH\t2\tPLAIN")
    stage.answer(away)
    #expect(stage.said == "CONT\t2\t\nFAIL\t1\tuser=a\ttemp\tcode=temp_fail\n" && !stage.hasEnded)
  }

  @Test("AUTHs that Postfix silently dropped half-way do not count as in flight, so `away` closes the connection")
  func dropped() {
    var stage = DovecotStage()
    stage.send("AUTH\t1\tLOGIN", "AUTH\t2\tLOGIN", "CONT\t2\t\("a".encoded)", "AUTH\t3\tPLAIN", auth(4, "you"))
    let said = stage.said
    stage.answer(away)
    #expect(stage.hasEnded && stage.said == said)
  }

  @Test("the protocol sends verdicts as they come, each with its ID")
  func order() {
    var stage = DovecotStage()
    stage.send(auth(5, "a"), auth(0, "b"), auth(4_294_967_295, "c"), auth(7, "d"))
    stage.answer(.right(.you), at: 2)
    stage.answer(.refused(reason: .accountDisabled))
    stage.answer(.wrong, at: 1)
    stage.answer(.right(.you))
    #expect(
      stage.said == """
        OK\t4294967295\tuser=you@example.org
        FAIL\t5\tuser=a\tuser_disabled\tcode=user_disabled
        FAIL\t7\tuser=d
        OK\t0\tuser=you@example.org

        """)
  }

  @Test("a cancelled AUTH gets no answer, and its ID is free at once")
  func cancelled() {
    var stage = DovecotStage()
    stage.send(auth(1, "a"), "CANCEL\t1", auth(1, "b"), "CANCEL\t9")
    stage.answer(.right(.you))
    #expect(stage.said.isEmpty)
    stage.answer(.wrong)
    #expect(stage.said == "FAIL\t1\tuser=b\n" && !stage.hasEnded)
    stage = DovecotStage()
    stage.send(auth(1, "a"), "CANCEL\t1")
    stage.answer(away)
    #expect(stage.said.isEmpty && !stage.hasEnded)
    stage.send("AUTH\t1\tLOGIN", "CANCEL\t1", "CONT\t1\t\("a".encoded)", "AUTH\t1\tPLAIN")
    #expect(stage.said == "CONT\t1\tVXNlcm5hbWU6\nCONT\t1\t\n")
  }

  @Test("the protocol ignores a response that it did not ask for")
  func unexpected() {
    var stage = DovecotStage()
    stage.send("CONT\t1\t\("a".encoded)", auth(1, "a"), "CONT\t1\t\("a".encoded)")
    stage.answer(.wrong)
    stage.send("CONT\t1\t*")
    #expect(stage.said == "FAIL\t1\tuser=a\n" && !stage.hasEnded && stage.asked.count == 1)
  }

  @Test("an ID is free again after each kind of answer", arguments: 0..<4)
  func reused(_ kind: Int) {
    var stage = DovecotStage()
    stage.send(auth(8, "z"), auth(9, "z"))
    for round in 0..<100 {
      stage.send(auth(1, "\(round)"))
      stage.answer([DoorAnswer.right(.you), .wrong, .refused(reason: .accountWaiting), away][kind], at: 2)
    }
    #expect(stage.asked.count == 102 && !stage.hasEnded)
  }

  @Test("if more than 64 AUTHs wait for their callers, the protocol fails the oldest and keeps the others")
  func manyWaiting() {
    var stage = DovecotStage()
    for id in 1...64 { stage.send("AUTH\t\(id)\tLOGIN") }
    stage.send("CONT\t1\t\("a".encoded)")
    #expect(!stage.said.contains("FAIL"))
    stage.send("AUTH\t65\tLOGIN")
    #expect(stage.said.hasSuffix("FAIL\t1\ttemp\tcode=temp_fail\nCONT\t65\tVXNlcm5hbWU6\n"))
    let said = stage.said
    stage.send("CONT\t1\t\("secret".encoded)")
    #expect(stage.said == said && stage.asked.isEmpty)
    stage.send("CONT\t2\t\("b".encoded)", "CONT\t2\t\("secret".encoded)") { _ in .wrong }
    #expect(stage.said.hasSuffix("FAIL\t2\tuser=b\n") && !stage.hasEnded)
  }

  @Test("the protocol keeps at most 16 KiB of names and origins of waiting AUTHs, and never fails the newest")
  func heldBytes() {
    let (name, origin) = (String(repeating: "n", count: 2000).encoded, String(repeating: "o", count: 2000))
    var stage = DovecotStage()
    for id in 1...10 { stage.send("AUTH\t\(id)\tLOGIN\trip=\(origin)", "CONT\t\(id)\t\(name)") }
    #expect(!stage.said.contains("FAIL"))
    for id in 11...40 { stage.send("AUTH\t\(id)\tLOGIN\trip=\(origin)") }
    let failed = stage.said.split(separator: "\n").filter { $0.hasPrefix("FAIL") }
    #expect(failed.first == "FAIL\t1\ttemp\tcode=temp_fail" && failed.count == 10)
    stage.send("CONT\t40\t\(name)")
    #expect(stage.said.hasSuffix("\nCONT\t40\tUGFzc3dvcmQ6\n"))
    stage = DovecotStage()
    stage.send("AUTH\t1\tLOGIN\trip=\(origin)")
    for id in 2...11 { stage.send("AUTH\t\(id)\tLOGIN\trip=\(origin)", "CONT\t\(id)\t\(name)") }
    #expect(!stage.said.contains("FAIL"))
    stage.send("CONT\t1\t\(name)")
    #expect(stage.said.hasSuffix("FAIL\t2\ttemp\tcode=temp_fail\nCONT\t1\tUGFzc3dvcmQ6\n"))
  }
}
