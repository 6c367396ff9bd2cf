import DoorHelpers
import Linux
import LoginVerdicts
import RegdClient
import RegdProcesses
import TestKit
import Testing

@Suite("Questions from helpers to regd", .blocking, .timeLimit(.minutes(5)))
struct HelperLinkTests {
  private static let ann = HelperQuestion.entry("ann@x.org", "p")

  private func link(_ socket: String, seconds: Int = 300) -> HelperLink { HelperLink(path: socket, seconds: seconds) }

  /// Waits until `count` questions are answered.
  private func answers(_ link: HelperLink, _ count: Int) -> [Int: String] {
    var all: [Int: String] = [:]
    while all.count < count {
      for (ticket, answer) in link.takeAnswers() { all[ticket] = "\(answer.verdict) \(answer.reason ?? "-")" }
      guard all.count < count else { break }
      if let descriptor = link.descriptor { _ = Polling.isReady(.readable(descriptor), atMost: link.patience) }
      link.receive()
      link.expire()
    }
    return all
  }

  @Test("the reason in a reply decides whether the answer is right, wrong, refused or away")
  func verdicts() throws {
    let reasons = ["credentials.rejected", "account.waiting", "group.required", "store.unavailable", "no.such.reason"]
    let turns = [PlayedRegd.Turn.right(1)] + reasons.enumerated().map { .refusal($0.offset + 2, $0.element) }
    try PlayedRegd.with([turns + [.text("nonsense\n")]]) { socket, _ in
      let link = link(socket)
      #expect(link.answer(to: Self.ann).email == "Ann@x.org")
      #expect(link.answer(to: Self.ann).verdict == .wrong)
      #expect(link.answer(to: Self.ann).verdict == .refused)
      #expect(link.answer(to: Self.ann) == HelperAnswer(.refused, reason: "group.required"))
      #expect(link.answer(to: Self.ann) == .away("store.unavailable"))
      #expect(link.answer(to: Self.ann) == .away("no.such.reason"))
      #expect(link.answer(to: Self.ann) == .away("notAReply"))
      #expect(link.descriptor == nil)
    }
  }

  @Test("the answer is away if regd is missing, and the next question connects again")
  func gone() throws {
    #expect(link("/nonexistent/s").answer(to: Self.ann) == .away("cannotConnect"))
    try PlayedRegd.with([[.right(1)], [.right(1)], [.close], [.right(1)]]) { socket, regd in
      let link = link(socket)
      #expect(link.answer(to: Self.ann).verdict == .right)
      // the first connection has ended by now, or ends before the answer
      #expect(link.answer(to: Self.ann).verdict == .right)
      #expect(link.answer(to: Self.ann) == .away("disconnected"))
      #expect(link.answer(to: Self.ann).verdict == .right)
      #expect(regd.methods.count >= 4)
    }
  }

  @Test("questions in one turn share the result of one connection attempt, and the next turn tries again")
  func oneTry() throws {
    try TemporaryDirectory.with { directory in
      let link = link("\(directory)/s")
      link.beginTurn()
      link.ask(Self.ann, 1)
      let listener = try Descriptor.socket(.localStream)
      try listener.bind(to: SocketAddress(path: "\(directory)/s"))
      try listener.listen(backlog: 8)
      link.ask(Self.ann, 2)
      #expect(answers(link, 2) == [1: "away cannotConnect", 2: "away cannotConnect"])
      #expect(link.descriptor == nil)
      link.beginTurn()
      link.ask(Self.ann, 3)
      #expect(link.descriptor != nil)
    }
  }

  @Test("a question that a draining regd refuses goes to the next regd")
  func draining() throws {
    let draining = PlayedRegd.Turn.replies([
      (2, PlayedRegd.refusal("server.draining")), (1, PlayedRegd.refusal("credentials.rejected")),
    ])
    try PlayedRegd.with([[.nothing, draining], [.right(1)]]) { socket, _ in
      let link = link(socket)
      link.ask(Self.ann, 10)
      link.ask(Self.ann, 20)
      // reply 1 of the first regd belongs to the first question, and reply 1 of the second regd to the second question
      #expect(answers(link, 2) == [10: "wrong credentials.rejected", 20: "right -"])
    }
  }

  @Test("a change is not repeated if its answer is lost")
  func changes() throws {
    try PlayedRegd.with([[.right(1), .close], [.right(1), .right(2)]]) { socket, regd in
      let link = link(socket)
      #expect(link.answer(to: Self.ann).verdict == .right)
      #expect(link.answer(to: .remove(email: "a@x.org")) == .away("disconnected"))
      #expect(link.answer(to: Self.ann).verdict == .right)
      #expect(regd.methods == ["0 session.signIn", "0 account.delete", "1 session.signIn"])
    }
  }

  @Test("a late answer is ignored, even if another question has its ticket, and its work is cancelled or abandoned")
  func late() throws {
    let rejected = PlayedRegd.refusal("credentials.rejected")
    let turns: [PlayedRegd.Turn] = [
      .nothing, .nothing, .nothing, .replies([(1, PlayedRegd.account), (2, rejected), (4, rejected)]),
    ]
    // on a slow machine, both are late, and the link closes the connection
    try PlayedRegd.with([turns, [.replies([(1, rejected)])]]) { socket, regd in
      let link = link(socket, seconds: 1)
      link.ask(Self.ann, 1)
      #expect(!Polling.isReady(.readable(link.descriptor!), atMost: .milliseconds(500)))
      link.ask(Self.ann, 2)
      let first = answers(link, 1)
      #expect(first[1] == "away timedOut")
      link.ask(Self.ann, 1)
      let others = answers(link, 3 - first.count)
      for (ticket, answer) in others { #expect(!answer.hasPrefix("right"), "\(ticket)") }
      #expect(regd.methods.contains("0 rpc.cancel") || regd.methods.contains("1 session.signIn"))
    }
  }

  @Test("replies on a lost connection are not taken for replies on the next one")
  func lost() throws {
    let replies = [
      "{\"jsonrpc\":\"2.0\",\"id\":2,\(PlayedRegd.refusal("server.draining"))}",
      "{\"jsonrpc\":\"2.0\",\"id\":null,\(PlayedRegd.refusal("rpc.internal"))}",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\(PlayedRegd.account)}", "",
    ]
    try PlayedRegd.with([
      [.nothing, .text(replies.joined(separator: "\n"))], [.refusal(1, "credentials.rejected")],
    ]) { socket, _ in
      let link = link(socket)
      link.ask(Self.ann, 10)
      link.ask(Self.ann, 20)
      #expect(answers(link, 2) == [10: "away rpc.internal", 20: "wrong credentials.rejected"])
    }
  }

  @Test("the answer is away if regd is silent until the timeout, and the connection is closed")
  func silent() throws {
    try PlayedRegd.with([[.nothing, .nothing], [.right(1)]]) { socket, _ in
      let link = link(socket, seconds: 1)
      #expect(link.answer(to: Self.ann) == .away("timedOut"))
      #expect(link.descriptor == nil)
      #expect(link.answer(to: Self.ann).verdict == .right)
    }
  }

  @Test("after an error about the connection, the answer is away with the error's reason")
  func refusedConnection() throws {
    let error = "{\"jsonrpc\":\"2.0\",\"id\":null,\(PlayedRegd.refusal("server.busy"))}\n"
    try PlayedRegd.with([[.text(error)], [.text(error.replacing("server.busy", with: "rpc.invalidParams"))]]) {
      socket, _ in
      let link = link(socket)
      #expect(link.answer(to: Self.ann) == .away("server.busy"))
      #expect(link.answer(to: Self.ann) == .away("rpc.invalidParams"))
    }
  }

  @Test("for other questions than sign-in, a permanent refusal means no, and any other failure means away")
  func denials() throws {
    for (reason, verdict) in [
      ("store.dreaming", LoginVerdict.away), ("access.denied", .refused), ("email.taken", .refused),
      ("account.notFound", .refused), ("feature.off", .refused), ("registration.closed", .refused),
      ("invitation.rejected", .refused), ("request.conflict", .refused), ("account.pending", .refused),
      ("validation.failed", .wrong), ("store.full", .away), ("rate.limited", .away),
    ] {
      try PlayedRegd.with([[.refusal(1, reason), .refusal(2, reason)]]) { socket, _ in
        let link = link(socket)
        #expect(link.answer(to: .register(email: "a@x.org", password: "p")).verdict == verdict, "\(reason)")
        // a sign-in has only its own reasons
        #expect(link.answer(to: Self.ann).verdict == LoginVerdict(reason: reason), "\(reason)")
      }
    }
    try PlayedRegd.with([
      [
        .replies([(1, #""result":{"claim":{"id":"x"}}"#)]), .replies([(2, #""result":{"available":true}"#)]),
        .replies([(3, #""result":{"available":false}"#)]), .replies([(4, #""result":{}"#)]),
      ]
    ]) { socket, _ in
      let link = link(socket)
      #expect(link.answer(to: .register(email: "a@x.org", password: "p")).verdict == .refused)
      #expect(link.answer(to: .exists(email: "a@x.org")).verdict == .wrong)
      #expect(link.answer(to: .exists(email: "a@x.org")).verdict == .right)
      #expect(link.answer(to: Self.ann) == .away("notAReply"))
    }
  }

  @Test("the link reports a failure when it begins, and not again for each question")
  func told() throws {
    var told: [String] = []
    let link = HelperLink(path: "/nonexistent/s", seconds: 1) { told.append($0.reason) }
    for _ in 0..<3 { _ = link.answer(to: Self.ann) }
    #expect(told == ["cannotConnect"])
  }

  @Test("a session answers all questions that arrived before the end of the input")
  func session() throws {
    try PlayedRegd.with([[.right(1), .refusal(2, "credentials.rejected")]]) { socket, _ in
      let input = try Descriptor.pipe()
      let output = try Descriptor.pipe()
      try input.second.writeAll("1 ann right\n2 bob wrong\n3 half")
      var wire = SquidProtocol(domain: "x.org")
      try input.second.close()
      try HelperSession.run(&wire, link(socket), input: input.first, output: output.second)
      #expect(String(decoding: try output.first.read(atMost: 100), as: UTF8.self) == "1 OK\n2 ERR\n")
    }
  }
}
