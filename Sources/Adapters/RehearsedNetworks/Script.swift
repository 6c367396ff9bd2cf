package import Registration

/// The script of a scripted network: for each operation a list of steps, one per call. The last step is repeated.
package struct Script: Equatable, Sendable {
  package var checkEmail: [Step]
  package var register: [Step]
  package var signIn: [Step]
  /// Whether each list starts over at its end.
  package var repeats: Bool

  /// Makes a script. An empty list counts as one step `accept`.
  package init(
    checkEmail: [Step] = [Step(.accept)], register: [Step] = [Step(.accept)], signIn: [Step] = [Step(.accept)],
    repeats: Bool = false
  ) {
    self.checkEmail = checkEmail
    self.register = register
    self.signIn = signIn
    self.repeats = repeats
  }

  package enum Operation: String, CaseIterable, Sendable {
    case checkEmail, register, signIn
  }

  package func steps(of operation: Operation) -> [Step] {
    switch operation {
    case .checkEmail: checkEmail
    case .register: register
    case .signIn: signIn
    }
  }

  /// The step for a call.
  ///
  /// - Parameter call: How many calls of the operation came before this one.
  package func step(of operation: Operation, call: Int) -> Step {
    let steps = steps(of: operation)
    guard !steps.isEmpty else { return Step(.accept) }
    return steps[repeats ? call % steps.count : min(call, steps.count - 1)]
  }

  /// One step: an answer, then options. In the configuration's form: `accept`, `taken`, `unavailable retryAfter=30`,
  /// `timeout acted delay=200ms`.
  package struct Step: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
      /// The address is available, the registration succeeds, or the password is correct.
      case accept
      /// The address is taken (409).
      case taken
      /// The upstream is still working on the first request of this registration (409). The network answers `taken`,
      /// even if the registration's id already has the address, and does nothing. For `register` only.
      case atWork
      /// The password is wrong (401). For `signIn` only.
      case wrong
      case fault(UpstreamFault)
    }

    package var answer: Answer
    /// The pause before the answer, 0 or more.
    package var delay: Duration
    /// The Retry-After of `unavailable` and `throttle`, or nil for none.
    package var retryAfterSeconds: Int?
    /// Whether the upstream registers the account, although its answer is a fault (a hidden success).
    package var hasActed: Bool

    /// Whether the operation can have this answer.
    package func isAnswer(to operation: Operation) -> Bool {
      switch answer {
      case .accept, .fault: true
      case .taken: operation != .signIn
      case .atWork: operation == .register
      case .wrong: operation == .signIn
      }
    }

    package init(_ answer: Answer, delay: Duration = .zero, retryAfterSeconds: Int? = nil, hasActed: Bool = false) {
      self.answer = answer
      self.delay = delay
      self.retryAfterSeconds = retryAfterSeconds
      self.hasActed = hasActed
    }

    /// The failure that the network backend reports, or nil if the step is no fault.
    package var failure: NetworkFailure? {
      if case .fault(let fault) = answer { fault.failure(retryAfterSeconds: retryAfterSeconds) } else { nil }
    }
  }
}

extension Script.Step {
  package struct Malformed: Error, Equatable {
    /// What is wrong with the step, and the right form.
    package let message: String
  }

  /// The words for answers in the configuration.
  package static let words = ["accept", "taken", "at-work", "wrong"] + UpstreamFault.allCases.map(\.rawValue)

  /// Parses a step in the configuration's form.
  package init(_ text: String) throws(Malformed) {
    var words = text.split(separator: " ")[...]
    guard let word = words.popFirst() else { throw Malformed(message: "a step is empty") }
    self.init(try Self.answer(String(word)))
    for option in words { try take(option, of: word) }
  }

  private static func answer(_ word: String) throws(Malformed) -> Answer {
    if word == "accept" { return .accept }
    if word == "taken" { return .taken }
    if word == "at-work" { return .atWork }
    if word == "wrong" { return .wrong }
    guard let fault = UpstreamFault(rawValue: word) else {
      throw Malformed(message: "\"\(word)\" is not an answer; choose from \(words.joined(separator: ", "))")
    }
    return .fault(fault)
  }

  private mutating func take(_ option: Substring, of word: Substring) throws(Malformed) {
    if option.hasPrefix("retryAfter="), takesRetryAfter, let seconds = Self.number(option.dropFirst(11)) {
      retryAfterSeconds = seconds
    } else if option.hasPrefix("delay="), option.hasSuffix("ms"),
      let milliseconds = Self.number(option.dropFirst(6).dropLast(2))
    {
      delay = .milliseconds(milliseconds)
    } else if option == "acted", mayHideSuccess {
      hasActed = true
    } else {
      throw Malformed(
        message:
          "\"\(option)\" is not an option of \"\(word)\"; the options are delay=NUMBERms, retryAfter=SECONDS for unavailable and throttle, and acted for answers that may hide a success"
      )
    }
  }

  private var takesRetryAfter: Bool { answer == .fault(.unavailable) || answer == .fault(.throttle) }

  private var mayHideSuccess: Bool {
    if case .fault(let fault) = answer { fault.mayHideSuccess } else { false }
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.allSatisfy(\.isWholeNumber) ? Int(digits).flatMap { $0 <= 86_400_000 ? $0 : nil } : nil
  }
}

extension Script.Step: CustomStringConvertible {
  /// The step in the configuration's form.
  package var description: String {
    let word =
      switch answer {
      case .accept: "accept"
      case .taken: "taken"
      case .atWork: "at-work"
      case .wrong: "wrong"
      case .fault(let fault): fault.rawValue
      }
    let (seconds, attoseconds) = delay.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    let options = [
      retryAfterSeconds.map { "retryAfter=\($0)" }, milliseconds > 0 ? "delay=\(milliseconds)ms" : nil,
      hasActed ? "acted" : nil,
    ]
    return ([word] + options.compactMap { $0 }).joined(separator: " ")
  }
}
