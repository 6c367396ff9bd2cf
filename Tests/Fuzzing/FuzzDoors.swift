import Reasons
import Registration

@testable import Doors

// Compiled by `make fuzz` with the stage of DoorsTests.

/// libFuzzer's entry. The first byte chooses the protocol, the second one the answers, and the next three the places
/// where the rest is cut. However the rest is cut, the output and the questions must be the same. The stage checks
/// how many bytes a protocol takes.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 5 else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start + 5, count: count - 5))
  let cuts = (2..<5).map { Int(start[$0]) * bytes.count / 255 }.sorted()
  let pieces = zip(cuts, [0] + cuts).map { max(1, $0 - $1) } + [.max]
  let answers = start[1]
  switch start[0] % 5 {
  case 0: check(Array(bytes.prefix(fourStrings(bytes))), pieces, answers) { SaslauthdLoginProtocol() }
  case 1: check(bytes, pieces, answers) { DovecotLoginProtocol(greeting) }
  case 2: check(bytes, pieces, answers) { HTTPLoginProtocol(isTrusted: false) }
  case 3: check(bytes, pieces, answers) { HTTPLoginProtocol(isTrusted: true) }
  default: check(bytes, pieces, answers) { SocketmapLoginProtocol { $0 == "example.org" ? $0 : nil } }
  }
  return 0
}

/// The length of saslauthd's request without the fifth string, which counts only if it comes with the fourth.
private func fourStrings(_ bytes: [UInt8]) -> Int {
  var end = 0
  for _ in 0..<4 where end + 2 <= bytes.count { end += 2 + (Int(bytes[end]) << 8 | Int(bytes[end + 1])) }
  return end
}

private let greeting = DovecotGreeting(process: 7, connection: 9, cookie: "0123456789abcdef0123456789abcdef")

private func check<Machine: LoginProtocol>(_ bytes: [UInt8], _ pieces: [Int], _ answers: UInt8, _ make: () -> Machine) {
  func play(_ pieces: [Int]) -> (output: [UInt8], asked: [String], hasEnded: Bool) {
    var stage = LoginProtocolStage(make())
    var turn = answers
    stage.send(bytes, pieces: pieces) { question in
      turn = turn &* 5 &+ 1
      return answer(turn >> 4, to: question)
    }
    return (stage.output, stage.asked.map(\.described), stage.hasEnded)
  }
  let whole = play([.max])
  guard play(pieces) == whole else { fatalError("another split, other words or questions") }
  guard play([1]) == whole else { fatalError("byte by byte, other words or questions") }
}

private func answer(_ choice: UInt8, to question: DoorQuestion) -> DoorAnswer {
  switch (question, choice % 5) {
  case (.find, 0), (.find, 1): .found(.you)
  case (.find, 2), (.find, 3): .none
  case (_, 0): .right(.member)
  case (_, 1): .wrong
  case (_, 2): .refused(reason: .accountDisabled)
  default: .away(reason: .storeUnavailable, retryAfter: 3)
  }
}
