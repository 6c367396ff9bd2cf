import DoorHelpers
import LoginVerdicts
import Testing

@Suite("The protocol of Squid")
struct SquidProtocolTests {
  private func play(_ text: String, domain: String? = "x.org") -> Played {
    Played(SquidProtocol(domain: domain), [Array(text.utf8)])
  }

  @Test("the answer is OK, ERR, ERR with a reason, or BH with a reason")
  func verdicts() {
    #expect(
      play("ann right\nann wrong\noff p\naway p\n").text
        == "OK\nERR\nERR message=\"account.disabled\"\nBH message=\"store.unavailable\"\n")
    #expect(play("7 ann right\n0 away p\n").text == "7 OK\n0 BH message=\"store.unavailable\"\n")
  }

  @Test("every question has the helper's groups, and an account outside them is refused with a reason")
  func groups() {
    let wire = SquidProtocol(domain: "x.org", groups: ["staff", "guests"])
    let played = Played(wire, [Array("ann right\n7 bob right\n8 bob wrong\n".utf8)]) { question in
      if question == .entry("ann@x.org", "right", in: "staff", "guests") { return HelperAnswer(.right) }
      let isBob = question == .entry("bob@x.org", "right", in: "staff", "guests")
      return isBob
        ? HelperAnswer(.refused, reason: "group.required") : HelperAnswer(.wrong, reason: "credentials.rejected")
    }
    #expect(played.text == "OK\n7 ERR message=\"group.required\"\n8 ERR\n")
  }

  @Test("names and passwords are URL-decoded, and a percent sign without digits is kept")
  func escapes() {
    for (line, password) in [
      ("a%20b%0A%25", "a b\n%"), ("%", "%"), ("%4", "%4"), ("%zz%41", "%zzA"), ("a+b", "a+b"), ("%C3%bc", "ü"),
      ("%22%5C:", "\"\\:"),
    ] {
      #expect(play("ann \(line)\n").questions == [.entry("ann@x.org", password)], "\(line)")
    }
    #expect(play("a%40y.org p\n").questions == [.entry("a@y.org", "p")])
  }

  @Test("impossible credentials are answered with ERR, without a question to regd")
  func impossible() {
    for line in ["ann ", "ann %00", "ann p%00", " p", "ann%0A p", "ann%40x.org%0Ap x", "ann %FF", "%ff p", " "] {
      let played = play("\(line)\n")
      #expect(played.text == "ERR\n" && played.questions.isEmpty, "\(line)")
    }
    #expect(play("ann p\n", domain: nil).text == "ERR\n")
    #expect(play("3 ann \n").text == "3 ERR\n")
  }

  @Test("a name of digits is not taken for a channel")
  func digits() {
    #expect(play("123 p\n").questions == [.entry("123@x.org", "p")])
    #expect(play("1 123 p\n").questions == [.entry("123@x.org", "p")])
  }

  @Test("a malformed line is reported as broken, not as a wrong password")
  func unreadable() {
    for line in ["", "ann", "ann p q", "1 ann p q", "x ann p"] {
      let answer = line.hasPrefix("1") ? "1 BH" : "BH"
      #expect(play("\(line)\n").text == "\(answer) message=\"rpc.invalidRequest\"\n", "\(line)")
    }
    // no account has a password of this length, so the password is wrong
    let long = String(repeating: "a", count: SquidProtocol.longestLine)
    #expect(play("5 ann \(long)\n6 ann right\n").text == "5 ERR\n6 OK\n")
    #expect(play("5 ann \(long.prefix(66_000))\n6 ann right\n").text == "5 ERR\n6 OK\n")
  }

  @Test("questions with channels are answered in any order, and questions without channels one after another")
  func order() {
    var wire = SquidProtocol(domain: "x.org")
    wire.receive(Array("1 a p\n2 b p\n".utf8))
    let (first, second) = (wire.nextQuestion()!, wire.nextQuestion()!)
    wire.answer(second.ticket, HelperAnswer(.right))
    wire.answer(first.ticket, HelperAnswer(.wrong))
    wire.answer(first.ticket, HelperAnswer(.right))
    #expect(wire.takeOutput() == Array("2 OK\n1 ERR\n".utf8))
    wire.receive(Array("a p\nb p\n".utf8))
    let third = wire.nextQuestion()!
    #expect(wire.nextQuestion() == nil)
    wire.answer(third.ticket, HelperAnswer(.right))
    #expect(wire.nextQuestion()?.question == .entry("b@x.org", "p"))
  }

  @Test("no more questions are in flight than regd accepts from a connection, and the others wait")
  func limit() {
    var wire = SquidProtocol(domain: "x.org")
    wire.receive((0...SquidProtocol.mostInFlight).flatMap { Array("\($0) a p\n".utf8) })
    var tickets: [Int] = []
    while let (ticket, _) = wire.nextQuestion() { tickets.append(ticket) }
    #expect(tickets.count == SquidProtocol.mostInFlight)
    wire.answer(tickets[0], HelperAnswer(.right))
    #expect(wire.nextQuestion() != nil)
  }

  @Test("a reason cannot end the quoted value")
  func quoting() {
    let played = Played(SquidProtocol(domain: "x.org"), [Array("a p\n".utf8)]) { _ in .away("x\" OK\n\u{e9}.y") }
    #expect(played.text == "BH message=\"xOK.y\"\n")
  }

  @Test("the same bytes get the same answers, however reads split them")
  func split() {
    let bytes = Array("1 ann right\n2 away%40y.org a%20b\n\n3 off p\nann wrong\n4 ann %0\n5 a b c".utf8)
    let whole = Played(SquidProtocol(domain: "x.org"), [bytes])
    #expect(whole.questions.count == 5)
    for pieces in splits(of: bytes) { #expect(Played(SquidProtocol(domain: "x.org"), pieces) == whole) }
    let long = Array("5 ".utf8) + Array(repeating: 0x61, count: SquidProtocol.longestLine + 900)
    let tail = Array(" b\n6 ann right\n".utf8)
    let once = Played(SquidProtocol(domain: "x.org"), [long + tail])
    let longest = SquidProtocol.longestLine
    for count in [701, 16_384, longest - 1, longest, longest + 1, longest + 2, long.count - 1, long.count + 1] {
      let bytes = long + tail
      let pieces = stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<min($0 + count, bytes.count)]) }
      #expect(Played(SquidProtocol(domain: "x.org"), pieces) == once, "\(count)")
    }
  }

  @Test("random bytes do not break the protocol, and each line gets one answer")
  func chance() {
    var chance = Chance(seed: 5)
    let letters = Array("ab 01%\n\n @\u{e9}".utf8) + [0, 0xFF]
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...120, using: &chance)).map { _ in letters.randomElement(using: &chance)! }
      let played = Played(SquidProtocol(domain: "x.org"), [bytes])
      #expect(played.output.count { $0 == 10 } == bytes.count { $0 == 10 })
    }
  }
}
