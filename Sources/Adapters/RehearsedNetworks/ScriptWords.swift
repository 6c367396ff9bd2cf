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
