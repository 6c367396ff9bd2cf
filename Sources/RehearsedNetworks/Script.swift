package import Registration

/// What a scripted network plays: for each operation a list of steps, one a call; the last one stays.
package struct Script: Equatable, Sendable {
  package var checkEmail: [Step]
  package var register: [Step]

  /// - Parameters: Each with one step at least.
  package init(checkEmail: [Step], register: [Step]) {
    self.checkEmail = checkEmail
    self.register = register
  }

  /// One step, as the configuration writes it: an answer, then options. `accept`, `taken`,
  /// `unavailable retryAfter=30`, `timeout delay=200ms`.
  package struct Step: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
      /// The address is available; the registration succeeds.
      case accept
      case taken
      case fail(NetworkFailure)
    }

    package var answer: Answer
    /// Waited before answering; 0 or more.
    package var delay: Duration

    package init(_ answer: Answer, delay: Duration = .zero) {
      self.answer = answer
      self.delay = delay
    }
  }
}

extension Script.Step {
  package struct Malformed: Error, Equatable {
    /// What is wrong, and what would be right.
    package let message: String
  }

  /// The words for answers, as the configuration knows them.
  package static let words = [
    "accept", "taken", "offline", "unavailable", "timeout", "empty", "malformed", "reject", "untrusted", "fail",
  ]

  /// Reads one step.
  package init(_ text: String) throws(Malformed) {
    var words = text.split(separator: " ")[...]
    guard let word = words.popFirst() else { throw Malformed(message: "a step is empty") }
    var retryAfter: Int?
    var delay = Duration.zero
    for option in words {
      if option.hasPrefix("retryAfter="), word == "unavailable", let seconds = Self.number(option.dropFirst(11)) {
        retryAfter = seconds
      } else if option.hasPrefix("delay="), option.hasSuffix("ms"),
        let milliseconds = Self.number(option.dropFirst(6).dropLast(2))
      {
        delay = .milliseconds(milliseconds)
      } else {
        throw Malformed(
          message:
            "\"\(option)\" is no option of \"\(word)\"; there are delay=NUMBERms, and retryAfter=SECONDS of unavailable"
        )
      }
    }
    self.init(try Self.answer(word, retryAfter), delay: delay)
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.allSatisfy(\.isWholeNumber) ? Int(digits).flatMap { $0 <= 86_400_000 ? $0 : nil } : nil
  }

  private static func answer(_ word: Substring, _ retryAfter: Int?) throws(Malformed) -> Answer {
    switch word {
    case "accept": .accept
    case "taken": .taken
    case "offline": .fail(.offline)
    case "unavailable": .fail(.unavailable(retryAfterSeconds: retryAfter))
    case "timeout": .fail(.timeout)
    case "empty": .fail(.emptyResponse)
    case "malformed": .fail(.malformedResponse)
    case "reject": .fail(.rejected)
    case "untrusted": .fail(.untrusted)
    case "fail": .fail(.failed)
    default: throw Malformed(message: "\"\(word)\" is no answer; there are \(words.joined(separator: ", "))")
    }
  }
}
