import Testing

@testable import Doors

struct HTTPBodyTests {
  typealias Stage = LoginProtocolStage<HTTPLoginProtocol>

  @Test("the protocol skips a body, whatever it contains, and asks the question after it")
  func skipped() {
    let body = asking(start: "GET /smuggled HTTP/1.1")
    var stage = Stage()
    stage.send(asking("Content-Length: \(body.utf8.count)", start: "POST / HTTP/1.1"))
    #expect(stage.asked.isEmpty && stage.machine.isMidMessage)
    stage.send(Array(body.utf8.dropLast()))
    #expect(stage.asked.isEmpty && stage.machine.isMidMessage)
    stage.send("\n" + asking())
    #expect(stage.asked.count == 1 && !stage.machine.isMidMessage)
    stage.answer(.wrong)
    stage.answer(.right(.you))
    #expect(stage.statuses == [401, 200] && stage.asked.count == 2)
  }

  @Test("the protocol skips the body of a request without credentials before it answers 401")
  func skippedWithoutCredentials() {
    let played = Stage.played(request("Content-Length: 5", body: "GET /") + asking(), .right(.you))
    #expect(played == Played(statuses: [401, 200], asked: 1, ends: false))
  }

  @Test("the protocol skips a body of 64 KiB, and refuses a longer one with 413")
  func longest() {
    let body = String(repeating: "b", count: 65_536)
    #expect(
      Stage.played(asking("Content-Length: 65536") + body + asking())
        == Played(statuses: [401, 401], asked: 2, ends: false))
    #expect(Stage.played(asking("Content-Length: 65537") + body) == .refused(413))
    #expect(Stage.played(asking("Content-Length: 99999999999999999999999999")) == .refused(413))
    #expect(Stage.played(asking("Content-Length: 65537", "Expect: 100-continue")) == .refused(413))
  }

  @Test(
    "a Content-Length that is not a number, or two different ones, get 400; equal ones are accepted",
    arguments: [
      (["5", "6"], false), (["0", "5"], false), (["5", ""], false), (["+5"], false), (["-1"], false), (["0x5"], false),
      (["5, 5"], false), (["5 5"], false), (["５"], false), ([""], false), (["5;"], false), (["5", "5"], true),
      (["05"], true),
    ])
  func lengths(_ values: [String], _ isRight: Bool) {
    let lines = values.map { "Content-Length: \($0)\r\n" }.joined()
    let text = "POST / HTTP/1.1\r\nHost: regd\r\n\(lines)Authorization: Basic \(yours)\r\n\r\n12345"
    #expect(Stage.played(text) == (isRight ? Played(statuses: [401], asked: 1, ends: false) : .refused(400)))
  }

  @Test("a client that expects 100-continue gets 100 once, before the answer")
  func goOn() {
    var stage = Stage()
    stage.send(asking("Expect: 100-Continue", "Content-Length: 2"))
    #expect(stage.text == "HTTP/1.1 100 Continue\r\n\r\n" && stage.asked.isEmpty)
    stage.send("ab") { _ in .wrong }
    #expect(stage.statuses == [100, 401] && !stage.hasEnded)
  }

  @Test("a client without a body or with HTTP/1.0 gets no 100, and another expectation gets 417")
  func expectations() {
    let wrong = Played(statuses: [401], asked: 1, ends: false)
    #expect(Stage.played(asking("Expect: 100-continue")) == wrong)
    #expect(Stage.played(asking("Expect: 100-continue", "Content-Length: 0")) == wrong)
    let old =
      asking("Expect: 100-continue", "Content-Length: 1", "Connection: keep-alive", start: "PUT / HTTP/1.0") + "x"
    #expect(Stage.played(old) == wrong)
    #expect(Stage.played(asking("Expect: tea", "Connection: keep-alive", start: "PUT / HTTP/1.0")) == wrong)
    for value in ["tea", "", "100-continue, tea"] {
      #expect(Stage.played(asking("Expect: \(value)")) == .refused(417), "\(value)")
    }
    #expect(Stage.played(asking("Expect: tea", "Expect: 100-continue")) == .refused(417))
    #expect(Stage.played(asking("Expect: 100-continue", "Expect: tea")) == .refused(417))
  }
}
