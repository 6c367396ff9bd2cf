import DoorHelpers
import LoginVerdicts
import Testing

@Suite("The protocol of ejabberd")
struct EjabberdProtocolTests {
  private func frame(_ text: String) -> [UInt8] { frame(Array(text.utf8)) }

  private func frame(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }

  private func play(_ texts: [String], domain: String? = nil) -> Played {
    Played(EjabberdProtocol(domain: domain), [texts.flatMap(frame)])
  }

  /// The numbers in the answers, or nil if the output contains anything else.
  private func numbers(_ played: Played) -> [UInt8]? {
    let output = played.output
    guard output.count.isMultiple(of: 4) else { return nil }
    return stride(from: 0, to: output.count, by: 4).map { start in
      #expect(output[start...].prefix(3).elementsEqual([0, 2, 0]))
      return output[start + 3]
    }
  }

  @Test("the answer is 1 for a correct password, 0 for an incorrect or refused one, and 2 if regd is unavailable")
  func verdicts() {
    let played = play(["auth:ann:x.org:right", "auth:ann:x.org:wrong", "auth:off:x.org:p", "auth:away:x.org:p"])
    #expect(numbers(played) == [1, 0, 0, 2])
    #expect(
      played.questions == [
        .entry("ann@x.org", "right"), .entry("ann@x.org", "wrong"), .entry("off@x.org", "p"), .entry("away@x.org", "p"),
      ])
  }

  @Test("the password is everything after the third colon")
  func colons() {
    for password in [":", "a:b", "::", "a:b:c:", " ", "\t\n\"\\", "ü😀"] {
      #expect(play(["auth:ann:x.org:\(password)"]).questions == [.entry("ann@x.org", password)])
    }
  }

  @Test("each operation is a separate kind of question")
  func operations() {
    let played = play([
      "isuser:ann:x.org", "isuser:bob:x.org", "setpass:ann:x.org:new:er", "tryregister:ann:x.org:new",
      "removeuser:ann:x.org", "removeuser3:ann:x.org:right",
    ])
    #expect(numbers(played) == [1, 0, 1, 1, 1, 1])
    let own = Credentials(login: "ann@x.org".utf8, password: "right".utf8, realm: nil)!
    #expect(
      played.questions == [
        .exists(email: "ann@x.org"), .exists(email: "bob@x.org"), .setPassword(email: "ann@x.org", password: "new:er"),
        .register(email: "ann@x.org", password: "new"), .remove(email: "ann@x.org"), .removeOwn(own),
      ])
  }

  @Test("the server completes a login without an @, and the domain completes a login without a server")
  func names() {
    #expect(play(["auth:ann:x.org:p"], domain: "y.org").questions == [.entry("ann@x.org", "p")])
    #expect(play(["auth:ann::p"], domain: "y.org").questions == [.entry("ann@y.org", "p")])
    #expect(play(["auth:ann@z.org:x.org:p"]).questions == [.entry("ann@z.org", "p")])
    #expect(numbers(play(["auth:ann::p"])) == [0])
  }

  @Test("an unreadable question is answered with 0, and the next question is read")
  func unreadable() {
    let played = play([
      "", "auth", "auth:", "auth:ann", "auth:ann:x.org", "auth:ann:x.org:", "auth::x.org:p", "isuser:ann:x.org:p",
      "login:ann:x.org:p", "AUTH:ann:x.org:p", "removeuser3:ann:x.org", "auth:ann:x.org:right",
    ])
    #expect(numbers(played) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    #expect(played.questions.count == 1)
    let bytes = Played(EjabberdProtocol(domain: nil), [frame(Array("auth:ann:x.org:".utf8) + [0xFF])])
    #expect(numbers(bytes) == [0] && bytes.questions.isEmpty)
  }

  @Test("the protocol asks the next question only after the answer to the last one")
  func order() {
    var wire = EjabberdProtocol(domain: nil)
    wire.receive(frame("auth:a:x.org:right") + frame("auth:b:x.org:right"))
    let first = wire.nextQuestion()
    #expect(first?.question == .entry("a@x.org", "right"))
    #expect(wire.nextQuestion() == nil)
    // an answer to a different question changes nothing
    wire.answer(99, HelperAnswer(.right))
    #expect(wire.nextQuestion() == nil && wire.takeOutput().isEmpty)
    wire.answer(first!.ticket, HelperAnswer(.wrong))
    #expect(wire.nextQuestion()?.question == .entry("b@x.org", "right"))
    #expect(wire.takeOutput() == [0, 2, 0, 0])
  }

  @Test("the same bytes get the same answers, however reads split them")
  func split() {
    let bytes = ["auth:ann:x.org:right", "nonsense", "isuser:ann:x.org", "auth:away:x.org:a:b", ""].flatMap(frame)
    let whole = Played(EjabberdProtocol(domain: nil), [bytes])
    #expect(numbers(whole) == [1, 0, 1, 2, 0])
    for pieces in splits(of: bytes) { #expect(Played(EjabberdProtocol(domain: nil), pieces) == whole) }
  }

  @Test("random bytes and the longest text do not break the protocol")
  func chance() {
    var chance = Chance(seed: 3)
    for _ in 0..<2000 {
      var bytes = (0..<Int.random(in: 0...200, using: &chance)).map { _ in UInt8.random(in: 0...255, using: &chance) }
      if Bool.random(using: &chance) { bytes = frame(bytes) + frame("auth:ann:x.org:right") }
      _ = numbers(Played(EjabberdProtocol(domain: "y.org"), [bytes]))
    }
    let longest = Array("auth:ann:x.org:".utf8) + Array(repeating: 0x61, count: 65_535 - 15)
    #expect(numbers(Played(EjabberdProtocol(domain: nil), [frame(longest) + frame("auth:a:x.org:right")])) == [0, 1])
  }
}
