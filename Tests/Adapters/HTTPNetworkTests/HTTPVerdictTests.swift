import Registration
import Testing

@testable import HTTPNetwork

@Suite("HTTPVerdict")
struct HTTPVerdictTests {
  enum Judged: Equatable, Sendable {
    case available(Bool)
    case registered(UpstreamAnswer)
    case session(UpstreamSession)
    case failure(NetworkFailure)
  }

  enum Operation: CaseIterable, Sendable { case availability, registration, session }

  private func judge(_ operation: Operation, _ reply: UpstreamReply) -> Judged {
    let now = Timestamp(microseconds: 0)
    do throws(NetworkFailure) {
      switch operation {
      case .availability: return .available(try HTTPVerdict.availability(reply, now: now).get())
      case .registration: return .registered(try HTTPVerdict.registration(reply, now: now).get())
      case .session: return .session(try HTTPVerdict.session(reply, now: now).get())
      }
    } catch {
      return .failure(error)
    }
  }

  private static func reply(
    _ end: TransferEnd, sendings: Int = 1, _ status: Int?, _ body: String = "", retryAfter: String? = nil
  ) -> UpstreamReply {
    UpstreamReply(end: end, sendings: sendings, status: status, retryAfter: retryAfter, body: Array(body.utf8))
  }

  private static func reply(
    sendings: Int = 1, _ status: Int, _ body: String = "", retryAfter: String? = nil
  ) -> UpstreamReply {
    reply(.whole, sendings: sendings, status, body, retryAfter: retryAfter)
  }

  // MARK: Statuses that mean the same for every operation

  static let failures: [(Int, NetworkFailure)] = [
    (0, .malformedResponse), (99, .malformedResponse), (100, .malformedResponse), (101, .malformedResponse),
    (199, .malformedResponse), (202, .malformedResponse), (203, .malformedResponse), (204, .emptyResponse),
    (206, .malformedResponse), (299, .malformedResponse), (300, .malformedResponse), (301, .malformedResponse),
    (302, .malformedResponse), (304, .malformedResponse), (307, .malformedResponse), (308, .malformedResponse),
    (399, .malformedResponse), (400, .rejected), (403, .rejected), (404, .rejected), (407, .rejected), (408, .tooEarly),
    (410, .rejected), (417, .rejected), (422, .rejected), (423, .rejected), (424, .rejected), (425, .tooEarly),
    (426, .rejected), (428, .rejected), (429, .throttled(retryAfterSeconds: nil)), (430, .rejected),
    (499, .rejected), (500, .failed), (501, .failed), (502, .failed), (503, .unavailable(retryAfterSeconds: nil)),
    (504, .failed), (599, .failed), (600, .malformedResponse), (999, .malformedResponse),
  ]

  /// The verdict for a status. For a sign-in, some statuses are answers that are failures for other operations.
  private func judged(_ operation: Operation, _ status: Int, _ failure: NetworkFailure) -> Judged {
    operation == .session && [403, 404, 410, 423].contains(status) ? .session(.refused) : .failure(failure)
  }

  @Test("a status other than success gives its failure, whatever the body contains", arguments: failures)
  func statuses(_ status: Int, _ failure: NetworkFailure) {
    for operation in Operation.allCases {
      for body in ["", " ", "{", #"{"id":"x","available":true}"#] {
        #expect(judge(operation, Self.reply(status, body)) == judged(operation, status, failure))
      }
    }
  }

  @Test("a 4xx or 5xx status counts even if the answer is incomplete", arguments: failures)
  func statusesOfBrokenAnswers(_ status: Int, _ failure: NetworkFailure) {
    guard 400...599 ~= status else { return }
    for operation in Operation.allCases {
      for end: TransferEnd in [.whole, .outOfTime, .notHTTP, .cutShort, .tooLong, .broken] {
        #expect(judge(operation, Self.reply(end, status)) == judged(operation, status, failure))
      }
    }
  }

  @Test("408 and 425 ask for a repeat and mean that the upstream did nothing")
  func tooEarly() {
    #expect(!NetworkFailure.tooEarly.mayHaveActed)
    #expect(NetworkFailure.tooEarly.isWorthRepeating)
    #expect(NetworkFailure.tooEarly.isOfUpstreamThatWorks)
  }

  @Test("a yes or no of another operation is not an answer")
  func otherOperations() {
    #expect(judge(.availability, Self.reply(201, #"{"available":true}"#)) == .failure(.malformedResponse))
    #expect(judge(.session, Self.reply(201, #"{"id":"x"}"#)) == .failure(.malformedResponse))
    #expect(judge(.availability, Self.reply(409)) == .failure(.rejected))
    #expect(judge(.session, Self.reply(409)) == .failure(.rejected))
    #expect(judge(.availability, Self.reply(401)) == .failure(.rejected))
    #expect(judge(.registration, Self.reply(401)) == .failure(.rejected))
  }

  // MARK: Answers

  @Test("HTTPVerdict reads each operation's yes and no")
  func answers() {
    #expect(judge(.availability, Self.reply(200, #"{"available":true}"#)) == .available(true))
    #expect(judge(.availability, Self.reply(200, " {\"available\" : false, \"more\":[1]}\r\n")) == .available(false))
    for status in [200, 201] {
      #expect(judge(.registration, Self.reply(status, #"{"id":"x"}"#)) == .registered(.registered))
      #expect(judge(.registration, Self.reply(status, #"{"more":{},"id":"\u0078"}"#)) == .registered(.registered))
    }
    #expect(judge(.session, Self.reply(200, #"{"id":"\u00e9 x"}"#)) == .session(.accepted(id: "\u{E9} x")))
    for end: TransferEnd in [.whole, .outOfTime, .cutShort, .tooLong, .broken] {
      #expect(judge(.registration, Self.reply(end, 409)) == .registered(.taken))
      #expect(judge(.session, Self.reply(end, 401)) == .session(.rejected))
    }
  }

  @Test(
    "HTTPVerdict also accepts a number as id", arguments: ["17", "-1", "17.5", "1e3", "123456789012345678901234567890"])
  func numbers(_ id: String) {
    for status in [200, 201] {
      #expect(judge(.registration, Self.reply(status, #"{"id":\#(id)}"#)) == .registered(.registered))
    }
    #expect(judge(.session, Self.reply(200, #"{"id": \#(id) }"#)) == .session(.accepted(id: id)))
  }

  @Test("a success without a body is empty", arguments: ["", " ", "\r\n", "\t \n", "\u{FEFF}", "\u{FEFF}\r\n"])
  func empty(_ body: String) {
    for operation in Operation.allCases {
      #expect(judge(operation, Self.reply(200, body)) == .failure(.emptyResponse))
    }
    #expect(judge(.registration, Self.reply(201, body)) == .failure(.emptyResponse))
  }

  @Test(
    "a success with an unexpected body is malformed",
    arguments: [
      "ok", "{", "{}", "[]", "null", "true", #""x""#, "<html>", #"{"ID":"x","Available":true}"#, #"{"id":"x"}}"#,
      #"{"id":"","available":"true"}"#, #"{"id":null,"available":null}"#, #"{"id":true,"available":1}"#,
      #"{"id":{"id":"x"},"available":[true]}"#, #"{"id":"x","id":"x","available":true,"available":true}"#,
      #"{"id":"x","available":true,}"#, #"[{"id":"x","available":true}]"#, #"{"id":"\ud800","available":"\ud800"}"#,
      #"{"id":"x","available":true} x"#, #"{"id":"x","\u0069d":"y","available":true,"available":false}"#,
      "\u{FEFF}\u{FEFF}{\"id\":\"x\",\"available\":true}", #"{"id":"x","available":true,"x":"\ud80"}"#,
    ])
  func malformed(_ body: String) {
    for operation in Operation.allCases {
      #expect(judge(operation, Self.reply(200, body)) == .failure(.malformedResponse))
    }
    #expect(judge(.registration, Self.reply(201, body)) == .failure(.malformedResponse))
  }

  @Test(
    "HTTPVerdict tolerates anything that the grammar allows in other members, and a byte order mark",
    arguments: [
      #"{"id":"x","x":1,"x":2,"available":true,"x":{"id":"y","available":false}}"#,
      #"{"id":"x","available":true,"x":"\ud800","\udc00":["\udc00\ud800"]}"#,
      #"{"\ud800\u0041":"y","id":"\u0078","id\ud800":"y","available":true,"available\udfff":false}"#,
      "\u{FEFF}{\"id\":\"x\",\"available\":true}",
      #"{"deep":"# + String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        + #","id":"x","available":true}"#,
    ])
  func tolerated(_ body: String) {
    #expect(judge(.availability, Self.reply(200, body)) == .available(true))
    #expect(judge(.registration, Self.reply(201, body)) == .registered(.registered))
    #expect(judge(.session, Self.reply(200, body)) == .session(.accepted(id: "x")))
  }

  @Test("a body with invalid UTF-8 or endless nesting is malformed")
  func bytes() {
    let invalid = UpstreamReply(
      end: .whole, sendings: 1, status: 200, body: Array(#"{"id":""#.utf8) + [0xFF, 0x22, 0x7D])
    let deep = Self.reply(200, #"{"id":"x","available":true,"x":"# + String(repeating: "[", count: 100))
    for operation in Operation.allCases {
      #expect(judge(operation, invalid) == .failure(.malformedResponse))
      #expect(judge(operation, deep) == .failure(.malformedResponse))
    }
  }

  // MARK: Transports

  @Test(
    "if a transfer ends before the request is sent, the upstream has not acted",
    arguments: [
      (TransferEnd.broken, NetworkFailure.offline), (.outOfTime, .offline), (.untrusted, .untrusted),
      (.notHTTP, .offline), (.cutShort, .offline), (.tooLong, .offline), (.whole, .offline),
      (.unstarted, .congested(retryAfterSeconds: 1)),
    ])
  func unsent(_ end: TransferEnd, _ failure: NetworkFailure) {
    for operation in Operation.allCases {
      #expect(judge(operation, Self.reply(end, sendings: 0, nil)) == .failure(failure))
      #expect(!failure.mayHaveActed)
    }
  }

  @Test(
    "if a transfer ends without an answer after the request is sent, the upstream may have acted",
    arguments: [
      (TransferEnd.broken, NetworkFailure.failed), (.outOfTime, .timeout), (.untrusted, .failed),
      (.notHTTP, .malformedResponse), (.cutShort, .failed), (.tooLong, .malformedResponse),
      (.whole, .malformedResponse),
    ])
  func unanswered(_ end: TransferEnd, _ failure: NetworkFailure) {
    for operation in Operation.allCases {
      for sendings in [1, 2] {
        #expect(judge(operation, Self.reply(end, sendings: sendings, nil)) == .failure(failure))
        #expect(failure.mayHaveActed)
      }
    }
  }

  @Test(
    "a success with an incomplete transfer is a failure, even if its body looks complete",
    arguments: [
      (TransferEnd.broken, NetworkFailure.failed), (.outOfTime, .timeout), (.untrusted, .failed),
      (.notHTTP, .malformedResponse), (.cutShort, .malformedResponse), (.tooLong, .malformedResponse),
    ])
  func brokenSuccess(_ end: TransferEnd, _ failure: NetworkFailure) {
    for operation in Operation.allCases {
      let reply = Self.reply(end, 200, #"{"id":"x","available":true}"#)
      #expect(judge(operation, reply) == .failure(failure))
    }
  }

  @Test(
    "after a second sending HTTPVerdict trusts only a yes, because a no shows nothing about the first sending",
    arguments: failures)
  func sentTwice(_ status: Int, _ failure: NetworkFailure) {
    for operation in Operation.allCases {
      let expected = failure.mayHaveActed ? failure : .failed
      #expect(judge(operation, Self.reply(sendings: 2, status)) == judged(operation, status, expected))
    }
    #expect(judge(.registration, Self.reply(sendings: 2, 409)) == .failure(.failed))
    #expect(judge(.registration, Self.reply(sendings: 2, 201, #"{"id":"x"}"#)) == .registered(.registered))
    #expect(judge(.availability, Self.reply(sendings: 2, 200, #"{"available":true}"#)) == .available(true))
    #expect(judge(.session, Self.reply(sendings: 2, 401)) == .session(.rejected))
  }

  @Test("an answer proves that the upstream saw the request, whatever the count of sendings")
  func answeredUnsent() {
    #expect(judge(.registration, Self.reply(.broken, sendings: 0, 200)) == .failure(.failed))
    #expect(judge(.registration, Self.reply(sendings: 0, 409)) == .registered(.taken))
  }

  @Test("Retry-After counts with 429 and 503")
  func retryAfter() {
    for operation in Operation.allCases {
      for (text, seconds) in [("7", 7), ("soon", nil)] as [(String, Int?)] {
        #expect(
          judge(operation, Self.reply(503, retryAfter: text)) == .failure(.unavailable(retryAfterSeconds: seconds)))
        #expect(judge(operation, Self.reply(429, retryAfter: text)) == .failure(.throttled(retryAfterSeconds: seconds)))
      }
      #expect(judge(operation, Self.reply(500, retryAfter: "7")) == .failure(.failed))
    }
  }
}
