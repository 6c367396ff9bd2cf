@testable import Doors

/// The credentials `you@example.org:se:cret`.
let yours = "eW91QGV4YW1wbGUub3JnOnNlOmNyZXQ="

extension DoorQuestion {
  static let yours = "you@example.org||se:cret|"
}

/// A request with these lines after `Host`.
func request(_ lines: String..., start: String = "GET /auth HTTP/1.1", body: String = "") -> String {
  ([start, "Host: regd"] + lines).map { "\($0)\r\n" }.joined() + "\r\n" + body
}

/// A request with credentials, so that the protocol asks a question.
func asking(_ lines: String..., start: String = "GET /auth HTTP/1.1") -> String {
  ([start, "Host: regd", "Authorization: Basic \(yours)"] + lines).map { "\($0)\r\n" }.joined() + "\r\n"
}

extension LoginProtocolStage where Machine == HTTPLoginProtocol {
  init(isTrusted: Bool = false) { self.init(HTTPLoginProtocol(isTrusted: isTrusted)) }

  /// The status of each answer.
  var statuses: [Int] {
    text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.compactMap { Int($0.dropFirst(9).prefix(3)) }
  }

  /// Sends a text and answers each question at once. Returns the statuses, the number of questions, and whether the
  /// connection ended.
  static func played(_ text: String, _ answer: DoorAnswer = .wrong) -> Played {
    var stage = LoginProtocolStage()
    stage.send(text) { _ in answer }
    return Played(statuses: stage.statuses, asked: stage.asked.count, ends: stage.hasEnded)
  }
}

struct Played: Equatable {
  let statuses: [Int]
  let asked: Int
  let ends: Bool

  /// A refusal: one answer, no question, and the connection ends.
  static func refused(_ status: Int) -> Played { Played(statuses: [status], asked: 0, ends: true) }
}
