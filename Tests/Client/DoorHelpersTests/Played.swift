import DoorHelpers
import LoginVerdicts

/// A dialogue with a program: pieces of bytes go in, questions and bytes come out.
struct Played: Equatable {
  var questions: [HelperQuestion] = []
  var output: [UInt8] = []

  /// - Parameters:
  ///   - pieces: The program's bytes, one element for each read.
  ///   - answer: Returns regd's answer.
  init(
    _ wire: some HelperProtocol, _ pieces: [[UInt8]], answer: (HelperQuestion) -> HelperAnswer = Self.usual
  ) {
    var wire = wire
    for piece in pieces {
      wire.receive(piece)
      while let (ticket, question) = wire.nextQuestion() {
        questions.append(question)
        wire.answer(ticket, answer(question))
      }
      output += wire.takeOutput()
    }
  }

  var text: String { String(decoding: output, as: UTF8.self) }

  /// A regd that knows one password and some addresses.
  static func usual(_ question: HelperQuestion) -> HelperAnswer {
    switch question {
    case .signIn(let credentials, _), .removeOwn(let credentials):
      if credentials.email.hasPrefix("away") { return .away("store.unavailable") }
      if credentials.email.hasPrefix("off") { return HelperAnswer(.refused, reason: "account.disabled") }
      return credentials.password == "right"
        ? HelperAnswer(.right) : HelperAnswer(.wrong, reason: "credentials.rejected")
    case .exists(let email), .remove(let email): return HelperAnswer(email.hasPrefix("a") ? .right : .wrong)
    case .setPassword, .register: return HelperAnswer(.right)
    }
  }
}

/// The bytes cut in two at each position, byte by byte, and in random pieces.
func splits(of bytes: [UInt8], seed: UInt64 = 7) -> [[[UInt8]]] {
  var chance = Chance(seed: seed)
  let pairs = (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
  let random = (0..<20).map { _ in
    var (rest, pieces) = (bytes[...], [[UInt8]]())
    while !rest.isEmpty {
      let count = Int.random(in: 1...min(rest.count, 40), using: &chance)
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return pieces
  }
  return pairs + [bytes.map { [$0] }] + random
}

/// A random number generator with a seed (SplitMix64).
struct Chance: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension HelperQuestion {
  /// A question about a sign-in, with valid credentials.
  static func entry(_ email: String, _ password: String, in groups: String...) -> HelperQuestion {
    .signIn(Credentials(login: email.utf8, password: password.utf8, realm: nil)!, groups: groups)
  }
}
