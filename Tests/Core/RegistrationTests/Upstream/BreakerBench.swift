import Registration

/// A breaker, and a clock that tests set.
struct BreakerBench {
  var breaker: CircuitBreaker
  var now = ContinuousClock.now
  /// The last address for questions without a named address. Each such question gets another address.
  private var subjects: UInt64 = 1_000_000

  init(failures: Int = 3, first: Duration = .seconds(2), maximum: Duration = .seconds(10)) {
    breaker = CircuitBreaker(.init(failures: failures, firstPause: first, maximumPause: maximum))
  }

  /// Makes a call, and returns the failure that the breaker gave from memory, or nil if the upstream was asked.
  mutating func call(
    _ ending: CircuitBreaker.Ending, by named: UpstreamQuestion? = nil, dice: Double = 0
  ) -> NetworkFailure? {
    subjects += 1
    let question = named ?? .by(1, about: subjects)
    return call(ending, question, dice)
  }

  private mutating func call(
    _ ending: CircuitBreaker.Ending, _ question: UpstreamQuestion, _ dice: Double
  ) -> NetworkFailure? {
    switch breaker.admit(question, at: now) {
    case .refuse(let failure): return failure
    case .ask(let ticket):
      breaker.ended(ticket, ending, at: now, dice: dice)
      return nil
    }
  }

  mutating func begin(_ question: UpstreamQuestion = .by(1)) throws -> CircuitBreaker.Ticket {
    guard case .ask(let ticket) = breaker.admit(question, at: now) else { throw Refused() }
    return ticket
  }

  mutating func end(_ ticket: CircuitBreaker.Ticket, _ ending: CircuitBreaker.Ending) {
    breaker.ended(ticket, ending, at: now, dice: 0)
  }

  struct Refused: Error {}
}

extension UpstreamQuestion {
  /// A question by a user about an address.
  static func by(_ uid: UInt32, about subject: UInt64 = 0, from origin: String = "") -> UpstreamQuestion {
    UpstreamQuestion(Share(uid: uid, origin: Origin(origin)), subject: subject)
  }
}
