import Registration

@testable import Doors

/// A protocol's connection in memory, which takes bytes and collects output and questions.
struct LoginProtocolStage<Machine: LoginProtocol> {
  private(set) var machine: Machine
  private var input: [UInt8] = []
  /// All output so far.
  private(set) var output: [UInt8]
  private(set) var hasEnded = false
  private(set) var waiting: [(number: Int, question: DoorQuestion)] = []
  /// Every question so far.
  private(set) var asked: [DoorQuestion] = []

  init(_ machine: Machine) {
    self.machine = machine
    output = self.machine.greet()
  }

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Sends bytes in pieces of these lengths, of which the last repeats. Answers each question at once if `answer` is
  /// given.
  mutating func send(_ bytes: [UInt8], pieces: [Int] = [.max], _ answer: ((DoorQuestion) -> DoorAnswer)? = nil) {
    var rest = bytes[...]
    var pieces = pieces
    while !rest.isEmpty {
      let count = min(max(1, pieces[0]), rest.count)
      if pieces.count > 1 { pieces.removeFirst() }
      input += rest.prefix(count)
      rest = rest.dropFirst(count)
      go(answer)
    }
  }

  mutating func send(_ text: String, pieces: [Int] = [.max], _ answer: ((DoorQuestion) -> DoorAnswer)? = nil) {
    send(Array(text.utf8), pieces: pieces, answer)
  }

  /// Answers a waiting question, by default the first.
  mutating func answer(_ answer: DoorAnswer, at index: Int = 0) {
    let (number, _) = waiting.remove(at: index)
    heed(machine.write(answer, to: number))
    go(nil)
  }

  private mutating func go(_ answer: ((DoorQuestion) -> DoorAnswer)?) {
    while !hasEnded, !input.isEmpty, Machine.isConcurrent || waiting.isEmpty {
      let count: Int
      let reply: Output
      switch input.withUnsafeBytes({ machine.receive($0) }) {
      case .unfinished: return
      case .part(let part, let bytes):
        precondition(machine.isMidMessage, "a part is a part of a message")
        (count, reply) = (part, Output(bytes))
      case .message(let whole, let words): (count, reply) = (whole, words)
      }
      precondition(count > 0 && count <= input.count, "a message has bytes, and no more than there are")
      input.removeFirst(count)
      heed(reply)
      if let (number, question) = reply.question {
        asked.append(question)
        if let answer { heed(machine.write(answer(question), to: number)) } else { waiting.append((number, question)) }
      }
    }
  }

  private mutating func heed(_ reply: Output) {
    output += reply.bytes
    if reply.ends { hasEnded = true }
  }
}

extension DoorQuestion {
  /// For comparisons: `name|realm|password|origin`, `find name`, `check name` or `groups name|member|most members`.
  var described: String {
    switch self {
    case .signIn(let login):
      let password = login.password.withBytes { String(decoding: $0, as: UTF8.self) }
      return [login.name, login.realm].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
        + "|\(password)|" + String(decoding: login.origin, as: UTF8.self)
    case .find(let name, let asker):
      return "find " + String(decoding: name, as: UTF8.self) + (asker.map { " for \($0.name)" } ?? "")
    case .check(let account): return "check \(account.name)"
    case .groups(let query, let asker):
      return "groups \(query.name?.description ?? "")|" + String(decoding: query.member ?? [], as: UTF8.self)
        + "|\(query.mostMembers)" + (asker.map { " for \($0.name)" } ?? "")
    }
  }
}

/// A pseudorandom generator with a seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension DoorAccount {
  static let you = DoorAccount(id: AccountID(at: Timestamp(microseconds: 1)), name: "you@example.org")
  /// `you`, with a typed address, groups and a display name.
  static let member = DoorAccount(
    id: you.id, name: you.name, email: "You@Example.org", groups: Groups([GroupName].named("staff", "admins")) ?? .none,
    displayName: DisplayName(stored: "Yöu-1 \"a.b_c~\"\t%\u{1F600}"))
}

extension [GroupName] {
  /// The groups with these names.
  static func named(_ texts: String...) -> [GroupName] { texts.compactMap { GroupName($0) } }
}

/// Sends the same bytes in one piece, byte by byte, and in random pieces, and compares output and questions.
///
/// - Returns: The output and questions of the single piece, and the splits that differ from it.
func inAnySplit<Machine: LoginProtocol>(
  _ bytes: [UInt8], seeds: Range<UInt64> = 0..<20, of make: () -> Machine,
  _ answer: @escaping (DoorQuestion) -> DoorAnswer
) -> (output: [UInt8], asked: [String], differing: [[Int]]) {
  func play(_ pieces: [Int]) -> ([UInt8], [String], Bool) {
    var stage = LoginProtocolStage(make())
    stage.send(bytes, pieces: pieces, answer)
    return (stage.output, stage.asked.map(\.described), stage.hasEnded)
  }
  let whole = play([.max])
  var all = [[1]]
  for seed in seeds {
    var generator = Seeded(seed)
    all.append((0..<bytes.count).map { _ in Int.random(in: 1...max(1, bytes.count / 3), using: &generator) })
  }
  return (whole.0, whole.1, all.filter { play($0) != whole })
}
