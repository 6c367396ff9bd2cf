@testable import Doors

/// A connection after its handshake.
struct DovecotStage {
  static let greeting = DovecotGreeting(process: 7, connection: 9, cookie: "0123456789abcdef0123456789abcdef")
  static let handshake = "VERSION\t1\t1\nCPID\t4711\n"

  private(set) var stage = SpeakerStage(DovecotSpeaker(Self.greeting))

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
  var encoded: String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(utf8)
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : "=")
      }
    }
    return text
  }
}
