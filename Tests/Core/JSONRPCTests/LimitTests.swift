import TestDoubles
import Testing

@testable import JSONRPC
@testable import WireProtocols

@Suite("Access and limits in a conversation")
struct ConversationLimitTests: Talking {
  @Test("only administrators may call an administrator's method, and the error names the access class")
  func access() {
    let open = talk()
    open.send(request("1", "secret", "{\"wrong\":1}"))
    #expect(
      open.receive()
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"secret needs the access class \"admin\", which the caller, uid 7, does not have.","data":{"reason":"access.denied","retryable":false}}}"#
        + "\n")
    let admin = talk(access: .admin)
    admin.send(request("1", "secret"))
    #expect(admin.receive() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":true}\n")
  }

  @Test("a result that is too large becomes response.tooLarge, alone and in a batch")
  func largeResults() async {
    let talk = talk(Limits(responseBytes: 500))
    talk.send(request("1", "large") + request("2", "largeLater"))
    await talk.settle()
    for reply in talk.receive().split(separator: "\n") {
      #expect(reply.contains(#""code":-32008"#) && reply.contains(#""limit":500"#))
    }
    let other = self.talk(Limits(responseBytes: 11_000))
    other.send("[\((0..<4).map { request("\($0)", $0 % 2 == 0 ? "large" : "largeLater") }.joined(separator: ","))]")
    await other.settle()
    let reply = other.receive()
    #expect(reply.split(separator: "xxx\"}").count == 3)
    #expect(reply.split(separator: "\"code\":-32008").count == 3)
    // small results always fit, so that completed work does not look failed
    let small = self.talk(Limits(responseBytes: 100))
    small.send("[\((0..<4).map { request("\($0)", $0 % 2 == 0 ? "now" : "later", "[]") }.joined(separator: ","))]")
    await small.settle()
    #expect(small.receive().split(separator: "\"done\"").count == 3)
    // with much output already waiting, the limit is lower
    let full = self.talk()
    var allowance = Conversation.Allowance(requests: 10, outputBytes: 10_000, responseBytes: 300)
    let asked = request("1", "large")
    #expect(full.send(asked, within: &allowance) == asked.utf8.count)
    #expect(full.receive().contains(#""reason":"response.tooLarge","retryable":false,"limit":300"#))
  }

  @Test("an id that is too long is refused, and not echoed")
  func longIDs() async {
    let talk = talk(Limits(idBytes: 64))
    let long = "\"\(String(repeating: "x", count: 63))\""
    talk.send(request(long, "now") + request(long, "nonsense") + "[\(request(long, "later", "[\"x\"]"))]")
    talk.send("{\"jsonrpc\":\"1.0\",\"id\":\(long)}")
    await talk.settle()
    let replies = talk.receive().split(separator: "\n")
    #expect(replies.count == 4)
    for reply in replies {
      #expect(reply.contains("\"id\":null,\"error\":{\"code\":-32600,") && !reply.contains("xxxxx"))
    }
    let fits = "\"\(String(repeating: "x", count: 62))\""
    talk.send(request(fits, "now"))
    #expect(talk.receive() == "{\"jsonrpc\":\"2.0\",\"id\":\(fits),\"result\":\"done\"}\n")
  }

  @Test("a user's unfinished texts have a limit, beyond which long texts are refused and skipped")
  func heldBytes() {
    let talk = talk(Limits(heldBytesPerUID: 20_000))
    let phrase = String(repeating: "x", count: 15_000)
    talk.send("{\"a\":\"\(phrase)")
    #expect(talk.receive() == "")
    talk.send(phrase)
    let refusal = talk.receive()
    #expect(refusal.contains(#""id":null,"error":{"code":-32009"#) && refusal.contains("\"limit\":20000"))
    talk.send(phrase + "\"}" + request("1", "now"))
    #expect(talk.receive() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"done\"}\n")
    let headers = self.talk(Limits(heldBytesPerUID: 20_000))
    headers.send("Content-Length: 60000\r\n\r\n" + phrase)
    headers.send(phrase)
    #expect(headers.receive().contains("-32009"))
    headers.send(phrase + phrase + framed(request("1", "now")))
    #expect(headers.receive() == framed(#"{"jsonrpc":"2.0","id":1,"result":"done"}"#))
  }

  @Test("a user's requests in flight are limited")
  func inFlightPerUser() async {
    let talk = talk(Limits(inFlightPerUID: 2))
    talk.send((1...3).map { request("\($0)", "later", "[\"x\"]") }.joined() + request("4", "now"))
    let answers = talk.receive().split(separator: "\n")
    #expect(answers.count == 2 && answers[0].contains(#""id":3,"error":{"code":-32009"#) && answers[1].contains("done"))
    await talk.settle()
    talk.send(request("5", "later", "[\"x\"]"))
    await talk.settle()
    #expect(talk.receive().contains(#""id":5,"result":"x""#))
  }

  @Test("a user over the request rate gets rate.limited with retryAfter, and batch items count one by one")
  func rate() async {
    let talk = talk(Limits(requestsPerSecondPerUID: 2))
    talk.send("[\((0..<4).map { request("\($0)", "now") }.joined(separator: ","))]")
    let reply = talk.receive()
    #expect(reply.split(separator: "\"done\"").count == 3)
    #expect(
      reply.contains(#""code":-32003"#)
        && reply.contains(#""reason":"rate.limited","retryable":true,"retryAfter":1,"limit":2"#))
  }

  @Test("a denied user gets one error with a null id, in the framing of its requests, and no reply to them")
  func denied() {
    let error =
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"The user with uid 7 may not connect: access.deny names the user or one of the user's groups.","data":{"reason":"access.denied","retryable":false}}}"#
    let wire = JSONRPCProtocol(Dispatcher(table: SampleMethods.table, limits: Limits()))
    #expect(String(decoding: wire.text(of: .denied(7)), as: UTF8.self) == error + "\n")
    for (asked, said) in [
      ("", error + "\n"), (request("1", "now"), error + "\n"),
      (framed(request("1", "now")), "Content-Length: \(error.utf8.count)\r\n\r\n\(error)"),
    ] {
      let (caller, quota) = (Peer(uid: 7, gid: 8, pid: 9), PeerQuota(uid: 7, requestsPerSecond: 0))
      let session = wire.session(with: caller, quota, Limits()) {}
      Array(asked.utf8).withUnsafeBytes { bytes in
        if !bytes.isEmpty { #expect(session.detectFraming(bytes)) }
      }
      session.end(because: .denied(7))
      #expect(String(decoding: session.output, as: UTF8.self) == said)
      #expect(session.readiness(within: 1 << 20).isEnding)
    }
  }

  @Test("of a batch that a user who is denied has sent, no further item begins, and each request gets a response")
  func deniedBatch() {
    let wire = JSONRPCProtocol(Dispatcher(table: SampleMethods.table, limits: Limits()))
    let quota = PeerQuota(uid: 7, requestsPerSecond: 0)
    let mixed = (0..<40).map { $0 % 2 == 0 ? request("\($0)", "now") : request("\($0)", "later", "[\"x\"]") }
    let telling = (0..<40).map { request("\($0)", "tells") }
    // with little room, the batch waits until its caller has taken notifications
    for (items, room) in [(mixed, 1 << 20), (telling, 500)] {
      let session = wire.session(with: Peer(uid: 7, gid: 8, pid: 9), quota, Limits()) {}
      var asked = 0
      func receive(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { bytes in
          session.receive(bytes, within: OutputBudget(output: room, response: 1 << 20)) { _ in asked += 1 }
        }
      }
      receive("[\(items.joined(separator: ","))]")
      #expect(session.readiness(within: room).unfinished == (room == 500 ? .blocked : .ready))
      session.end(because: .denied(7))
      while session.readiness(within: room).unfinished == .ready { receive("") }
      let readiness = session.readiness(within: room)
      #expect(asked == 0 && readiness.inFlight == 0 && readiness.isEnding && readiness.unfinished == .nothing)
      let lines = String(decoding: session.output, as: UTF8.self).split(separator: "\n")
      #expect(lines.count { $0.contains(#""id":null,"error":{"code":-32001"#) } == 1, "\(lines)")
      let reply = lines.first { $0.hasPrefix("[") } ?? ""
      let refused = reply.ranges(of: #""reason":"access.denied""#).count
      let done = reply.ranges(of: #""result":"#).count
      #expect(refused > 0 && done > 0 && refused + done == 40, "\(reply)")
      #expect(!reply.contains(#""id":1,"result":"x""#))
    }
    #expect(quota.inFlight == 0)
  }

  @Test(
    "the rate does not limit an administrator, who may have to reload regd because of it", arguments: [true, false])
  func rateOfAdministrators(_ isKnown: Bool) {
    for access in [Access.open, .observe, .admin] {
      let talk = talk(Limits(requestsPerSecondPerUID: 2), access: access)
      talk.send("[\((0..<4).map { request("\($0)", isKnown ? "now" : "none") }.joined(separator: ","))]")
      #expect(talk.receive().contains("rate.limited") == (access != .admin), "\(access)")
    }
  }
}

@Suite("Token bucket")
struct TokenBucketTests {
  @Test("a token bucket allows a burst of one second's tokens, and then the rate per second")
  func flow() {
    let start = ContinuousClock.now
    var bucket = TokenBucket(perSecond: 4, now: start)
    for _ in 0..<4 { #expect(bucket.take(at: start) == nil) }
    #expect(bucket.take(at: start) == .milliseconds(250))
    #expect(bucket.take(at: start + .milliseconds(200)) == .milliseconds(50))
    #expect(bucket.take(at: start + .milliseconds(250)) == nil)
    #expect(bucket.take(at: start + .milliseconds(250)) != nil)
    // after a long pause, only one second's tokens are available
    for _ in 0..<4 { #expect(bucket.take(at: start + .seconds(100)) == nil) }
    #expect(bucket.take(at: start + .seconds(100)) != nil)
  }
}

@Suite("Access rules")
struct AccessRulesTests {
  @Test("administrators are root and the users named by user, group or supplementary group")
  func rules() {
    let rules = AccessRules(administrators: .init(uids: [10], gids: [20]))
    #expect(rules.access(uid: 11, gid: 11, groups: [10, 21]) == .open)
    #expect(AccessRules().access(uid: 1, gid: 0, groups: [0]) == .open)
    #expect(AccessRules().access(uid: .max, gid: .max, groups: []) == .open)
    #expect(rules.access(uid: 0, gid: 1, groups: []) == .admin)
    #expect(rules.access(uid: 10, gid: 1, groups: []) == .admin)
    #expect(rules.access(uid: 1, gid: 20, groups: []) == .admin)
    #expect(rules.access(uid: 1, gid: 1, groups: [3, 20]) == .admin)
  }

  @Test("observers are named likewise, a user named as both is an administrator, and root can be excluded")
  func observers() {
    var rules = AccessRules(
      administrators: .init(uids: [10]), observers: .init(uids: [10, 11], gids: [21]), isRootAdministrator: false)
    #expect(rules.access(uid: 10, gid: 0, groups: []) == .admin)
    #expect(rules.access(uid: 11, gid: 0, groups: []) == .observe)
    #expect(rules.access(uid: 1, gid: 21, groups: []) == .observe)
    #expect(rules.access(uid: 1, gid: 1, groups: [20, 21]) == .observe)
    #expect(rules.access(uid: 0, gid: 0, groups: [0]) == .open)
    rules.observers.uids = [0]
    #expect(rules.access(uid: 0, gid: 0, groups: [0]) == .observe)
    rules.administrators.uids = [0]
    #expect(rules.access(uid: 0, gid: 0, groups: [0]) == .admin)
    #expect(Access.open < .observe && .observe < Access.admin && !(Access.admin < .observe))
  }

  @Test("users denied by uid, group or supplementary group may not connect, even administrators, but root always may")
  func denied() {
    let rules = AccessRules(
      administrators: .init(uids: [0, 10]), denied: .init(uids: [0, 10], gids: [20]), isRootAdministrator: false)
    #expect(rules.denies(uid: 10, gid: 1, groups: []) && rules.access(uid: 10, gid: 1, groups: []) == .admin)
    #expect(rules.denies(uid: 1, gid: 20, groups: []) && rules.denies(uid: 1, gid: 1, groups: [3, 20]))
    #expect(!rules.denies(uid: 1, gid: 10, groups: [10, 21]))
    #expect(!rules.denies(uid: 0, gid: 20, groups: [20]))
    #expect(!AccessRules().denies(uid: 1, gid: 0, groups: [0]))
  }

  @Test("a caller of unknown groups is denied if any group is, except for root")
  func unknownGroups() {
    let rules = AccessRules(denied: .init(uids: [10], gids: [20]))
    #expect(rules.denies(uid: 1, gid: 1, groups: nil) && rules.denies(uid: 10, gid: 1, groups: nil))
    #expect(!rules.denies(uid: 0, gid: 20, groups: nil))
    let users = AccessRules(denied: .init(uids: [10]))
    #expect(users.denies(uid: 10, gid: 1, groups: nil) && !users.denies(uid: 1, gid: 1, groups: nil))
  }
}
