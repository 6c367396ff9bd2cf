package import Registration

/// What a scripted mail system plays: a list of steps, one a mail; the last one stays. Steps that name an address or a domain
/// are a list of their own, for mails to it alone.
package struct MailScript: Equatable, Sendable {
  package let steps: [Step]
  /// Whether the lists begin anew at their ends.
  package let repeats: Bool

  package init(_ steps: [Step] = [Step(.accept)], repeats: Bool = false) {
    self.steps = steps
    self.repeats = repeats
  }

  /// One step, as the configuration writes it: an answer, then options. `accept`, `accept delay=2000ms`,
  /// `reject to=gone@example.com`, `greylisted to=@example.org`.
  package struct Step: Equatable, Sendable {
    package enum Answer: Equatable, Sendable {
      case accept
      case fault(MailFault)
    }

    package var answer: Answer
    /// Waited before answering; 0 or more.
    package var delay: Duration
    /// The key of the address, or `@` and the domain, that it is for; nil for all mails that no other step names.
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

  /// A place in the script, which goes on mail by mail.
  package struct Position: Sendable {
    private var calls: [String?: Int] = [:]

    package init() {}

    /// The step for the next mail to this address.
    package mutating func next(in script: MailScript, to address: EmailKey) -> Step {
      let recipient = script.recipient(for: address.value)
      let list = script.steps.filter { $0.recipient == recipient }
      guard !list.isEmpty else { return Step(.accept) }
      let call = calls[recipient, default: 0]
      calls[recipient] = call + 1
      return list[script.repeats ? call % list.count : min(call, list.count - 1)]
    }
  }

  /// The list that a mail to this address is played by: the address's own, its domain's, or the common one.
  private func recipient(for address: String) -> String? {
    let domain = address.utf8.lastIndex(of: UInt8(ascii: "@")).map { String(address[$0...]) }
    return [address, domain].compactMap(\.self).first { name in steps.contains { $0.recipient == name } }
  }
}
