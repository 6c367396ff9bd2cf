package import Registration

/// What a scripted network plays: for each operation a list of steps, one a call; the last one stays.
package struct Script: Equatable, Sendable {
  package var checkEmail: [Step]
  package var register: [Step]
  package var signIn: [Step]
  /// Whether the lists begin anew at their ends.
  package var repeats: Bool

  /// - Parameters: Each with one step at least.
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

  /// The step that is played at a call.
  ///
  /// - Parameter call: Of this operation, from 0.
  package func step(of operation: Operation, call: Int) -> Step {
    let steps = steps(of: operation)
    guard !steps.isEmpty else { return Step(.accept) }
    return steps[repeats ? call % steps.count : min(call, steps.count - 1)]
  }

  /// One step, as the configuration writes it: an answer, then options. `accept`, `taken`,
  /// `unavailable retryAfter=30`, `timeout acted delay=200ms`.
  package struct Step: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
      /// The address is available; the registration succeeds; the password is right.
      case accept
      /// The address is taken (409).
      case taken
      /// The first request of this registration is still worked on (409): what is said is `taken`, also to the id that
      /// has the address, and nothing is done; of `register` only.
      case atWork
      /// The password is wrong (401); of `signIn` only.
      case wrong
      case fault(UpstreamFault)
    }

    package var answer: Answer
    /// Waited before answering; 0 or more.
    package var delay: Duration
    /// The Retry-After of `unavailable` and `throttle`; nil for none.
    package var retryAfterSeconds: Int?
    /// Whether the upstream does what it is asked although its answer is a fault that may hide that.
    package var hasActed: Bool

    /// Whether it can be said to what is asked.
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

    /// The failure that the network backend reports; nil if the step is no fault.
    package var failure: NetworkFailure? {
      if case .fault(let fault) = answer { fault.failure(retryAfterSeconds: retryAfterSeconds) } else { nil }
    }
  }
}
