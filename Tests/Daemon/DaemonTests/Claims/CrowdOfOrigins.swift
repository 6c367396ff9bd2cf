import RegdClient
import Synchronization
import TestDoubles
import TestKit
import WorkerThreads

/// A front end's uid whose 10,000 origins all attack one address: claims, recoveries, codes, passwords, known clients.
final class CrowdOfOrigins: Sendable {
  /// The request of one origin.
  enum Deed: CaseIterable {
    case register, recover, guessPassword, guessCode, signInElsewhere, registerElsewhere
  }

  struct Facts {
    /// Answered calls about the present address.
    var here = 0
    var all = 0
    /// Incorrect passwords that regd has compared, and incorrect codes.
    var passwords = 0
    var codes = 0
    /// Replies that should not occur, the first of each kind.
    var failures: Set<String> = []
  }

  static let uid: UInt32 = 65_530
  static let origins = 10_000
  private static let batch = 32
  private static let crew = 3

  private struct State {
    var address: String?
    var facts = Facts()
  }

  private let socket: String
  private let state: Mutex<State>
  private let threads: WorkerThreads

  /// Starts the crowd. The address must not be an owner's.
  init(_ socket: String, at address: String, seed: UInt64) throws {
    self.socket = socket
    state = Mutex(State(address: address))
    threads = try WorkerThreads(name: "crowd", count: Self.crew)
    for number in 0..<Self.crew {
      threads.submit { [self] in
        do {
          try run(SeededGenerator(seed: seed &+ UInt64(number) &* 7919))
        } catch { state.withLock { _ = $0.facts.failures.insert("\(error)") } }
      }
    }
  }

  var facts: Facts { state.withLock(\.facts) }

  /// Attacks another address from now on.
  func turn(to address: String) {
    state.withLock {
      $0.address = address
      $0.facts.here = 0
    }
  }

  /// Stops the crowd, and waits for the last replies.
  func stop() -> Facts {
    state.withLock { $0.address = nil }
    threads.stop()
    return facts
  }

  private func run(_ generator: SeededGenerator) throws {
    var random = generator
    let caller = try RawCaller(socket, as: Self.uid)
    var rest: [UInt8] = []
    var claims: [String] = []
    while let address = state.withLock({ $0.address }) {
      let deeds = (0..<Self.batch).map { _ in Deed.allCases.randomElement(using: &random) ?? .recover }
      let requests = deeds.enumerated().map { number, deed in
        request(number, deed, address, claims, &random)
      }
      try caller.send(Array(requests.joined(separator: "\n").utf8) + [0x0A])
      for _ in deeds {
        let text = try Self.line(from: caller, &rest)
        guard let reply = JSONValue(text.utf8), let number = Int(reply["id"]?.text ?? "") else {
          throw ProgramFailure(description: "no reply: \(text)")
        }
        note(deeds[number], address, Reply(text: text), &claims)
      }
    }
  }

  private func request(
    _ number: Int, _ deed: Deed, _ address: String, _ claims: [String], _ random: inout SeededGenerator
  ) -> String {
    let origin = #""origin":"visitor \#(Int.random(in: 0..<Self.origins, using: &random))""#
    let phrase = Phrase.attacker
    let elsewhere = "crowd\(Int.random(in: 0..<Self.origins, using: &random))@example.org"
    func entry(_ email: String) -> String {
      #""email":"\#(email)","password":"\#(phrase)","passwordConfirmation":"\#(phrase)",\#(origin)"#
    }
    let (method, params) =
      switch deed {
      case .register: ("registration.register", entry(address))
      case .registerElsewhere: ("registration.register", entry(elsewhere))
      case .recover: ("recovery.start", #""email":"\#(address)",\#(origin)"#)
      case .guessPassword:
        (
          "session.signIn",
          #""email":"\#(address)","password":"guess \#(Int.random(in: 0..<1_000_000, using: &random))",\#(origin)"#
        )
      case .signInElsewhere: ("session.signIn", #""email":"\#(elsewhere)","password":"\#(phrase)",\#(origin)"#)
      case .guessCode:
        (
          "claim.prove",
          #""claim":"\#(claims.randomElement(using: &random) ?? "")","code":"\#(100_000 + Int.random(in: 0..<900_000, using: &random))""#
        )
      }
    return #"{"jsonrpc":"2.0","id":\#(number),"method":"\#(method)","params":{\#(params)}}"#
  }

  private func note(_ deed: Deed, _ address: String, _ reply: Reply, _ claims: inout [String]) {
    let reason = reply.reason ?? ""
    state.withLock { state in
      state.facts.all += 1
      if state.address == address { state.facts.here += 1 }
      // regd may be busy and may refuse the crowd, but must neither fail nor accept a guess.
      if reason.hasPrefix("store.") || reason == "rpc.internal" { state.facts.failures.insert("\(deed): \(reason)") }
      switch deed {
      case .guessPassword where reply.isResult, .guessCode where reply.isResult:
        state.facts.failures.insert("\(deed) was let in: \(reply.text)")
      case .guessPassword where reason == "credentials.rejected": state.facts.passwords += 1
      case .guessCode where reason == "code.rejected": state.facts.codes += 1
      case .register, .recover, .guessPassword, .guessCode, .signInElsewhere, .registerElsewhere: break
      }
    }
    if let claim = reply.result?["claim"]?["id"]?.string, deed == .register {
      claims.append(claim)
      if claims.count > 500 { claims.removeFirst() }
    }
  }

  private static func line(from caller: RawCaller, _ rest: inout [UInt8]) throws -> String {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let piece = try caller.read(65_536)
      guard !piece.isEmpty else { throw ProgramFailure(description: "regd has closed the crowd's connection") }
      rest += piece
    }
  }
}
