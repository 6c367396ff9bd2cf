import WireFormats

@testable import Doors

/// A connection after its handshake.
struct DovecotStage {
  static let greeting = DovecotGreeting(process: 7, connection: 9, cookie: "0123456789abcdef0123456789abcdef")
  static let handshake = "VERSION\t1\t1\nCPID\t4711\n"

  private(set) var stage = LoginProtocolStage(DovecotLoginProtocol(Self.greeting))

  init() { stage.send(Self.handshake) }

  var hasEnded: Bool { stage.hasEnded }
  var asked: [String] { stage.asked.map(\.described) }
  /// The output since the greeting.
  var said: String { String(stage.text.dropFirst(Self.greeting.text.count)) }

  mutating func send(_ lines: String..., answering answer: ((DoorQuestion) -> DoorAnswer)? = nil) {
    stage.send(lines.map { $0 + "\n" }.joined(), answer)
  }

  mutating func answer(_ answer: DoorAnswer, at index: Int = 0) { stage.answer(answer, at: index) }
}

extension String {
  /// The string in base64.
  var encoded: String { Base64.encoded(utf8) }
}
