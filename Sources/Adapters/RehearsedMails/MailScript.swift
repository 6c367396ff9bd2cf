package import Registration

/// The script of a scripted mail system: a list of steps, one per mail. The last step is repeated. The steps for an
/// address or a domain form a separate list, which only mails to that address or domain use.
package struct MailScript: Equatable, Sendable {
  package let steps: [Step]
  /// Whether each list starts over at its end.
  package let repeats: Bool

  package init(_ steps: [Step] = [Step(.accept)], repeats: Bool = false) {
    self.steps = steps
    self.repeats = repeats
  }

  /// One step: an answer, then options. In the configuration's form: `accept`, `accept delay=2000ms`,
  /// `reject to=gone@example.com`, `greylisted to=@example.org`.
  package struct Step: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
      case accept
      case fault(MailFault)
    }

    package var answer: Answer
    /// The pause before the answer, 0 or more.
    package var delay: Duration
    /// The key of the address, or `@` and the domain, that the step is for, or nil for mails that no other step names.
    package var recipient: String?

    package init(_ answer: Answer, delay: Duration = .zero, to recipient: String? = nil) {
      self.answer = answer
      self.delay = delay
      self.recipient = recipient
    }

    package var failure: MailFailure? {
      switch answer {
      case .accept: nil
      case .fault(let fault): fault.failure
      }
    }
  }

  /// The place in each of a script's lists: how many mails have used the list.
  package struct Position: Sendable {
    private var calls: [String?: Int] = [:]

    package init() {}

    /// The step for the next mail to this address. Moves the position past it.
    package mutating func next(in script: MailScript, to address: EmailKey) -> Step {
      let recipient = script.recipient(for: address.value)
      let list = script.steps.filter { $0.recipient == recipient }
      guard !list.isEmpty else { return Step(.accept) }
      let call = calls[recipient, default: 0]
      calls[recipient] = call + 1
      return list[script.repeats ? call % list.count : min(call, list.count - 1)]
    }
  }

  /// The recipient whose list a mail to this address uses: the address, its domain, or nil for the common list.
  private func recipient(for address: String) -> String? {
    let domain = address.utf8.lastIndex(of: UInt8(ascii: "@")).map { String(address[$0...]) }
    return [address, domain].compactMap(\.self).first { name in steps.contains { $0.recipient == name } }
  }
}

extension MailScript.Step {
  package struct Malformed: Error, Equatable {
    /// What is wrong with the step, and the right form.
    package let message: String
  }

  /// The words for answers in the configuration.
  package static let words = ["accept"] + MailFault.allCases.map(\.rawValue)

  /// Parses a step in the configuration's form.
  package init(_ text: String) throws(Malformed) {
    var words = text.split(separator: " ")[...]
    guard let word = words.popFirst() else { throw Malformed(message: "a step is empty") }
    self.init(try Self.answer(String(word)))
    for option in words { try take(option) }
  }

  private static func answer(_ word: String) throws(Malformed) -> Answer {
    if word == "accept" { return .accept }
    guard let fault = MailFault(rawValue: word) else {
      throw Malformed(message: "\"\(word)\" is not an answer; choose from \(words.joined(separator: ", "))")
    }
    return .fault(fault)
  }

  private mutating func take(_ option: Substring) throws(Malformed) {
    if option.hasPrefix("delay="), option.hasSuffix("ms"), let number = Self.number(option.dropFirst(6).dropLast(2)) {
      delay = .milliseconds(number)
    } else if option.hasPrefix("to="), let at = option.lastIndex(of: "@"), option[at...].count > 1 {
      recipient = option.dropFirst(3).lowercased()
    } else {
      throw Malformed(
        message: "\"\(option)\" is not an option; the options are delay=NUMBERms, to=ADDRESS and to=@DOMAIN")
    }
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(digits).flatMap { $0 <= 86_400_000 ? $0 : nil } : nil
  }
}

extension MailScript.Step: CustomStringConvertible {
  /// The step in the configuration's form.
  package var description: String {
    let word =
      switch answer {
      case .accept: "accept"
      case .fault(let fault): fault.rawValue
      }
    let options = [delay > .zero ? "delay=\(Int(delay / .milliseconds(1)))ms" : nil, recipient.map { "to=\($0)" }]
    return ([word] + options.compactMap(\.self)).joined(separator: " ")
  }
}
