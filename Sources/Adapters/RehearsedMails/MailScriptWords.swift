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
