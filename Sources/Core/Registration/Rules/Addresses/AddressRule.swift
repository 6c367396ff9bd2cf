internal import Sentences

/// One rule for addresses beside their grammar: a value that answers both questions about it. `EmailRules` asks each of its
/// rules in turn, for either question.
enum AddressRule: Sendable {
  /// Not of these domains, which the operator refuses, or below them.
  case notBlocked(DomainSet)
  /// Bytes of the whole address; the part before the @ has a bound of its own.
  case maximumLength(Int)

  /// The problem of an address that breaks the rule; nil if it keeps the rule.
  func problem(with candidate: AddressCandidate) -> Problem? {
    switch self {
    case .notBlocked(let domains):
      guard let domain = candidate.domain, domains.covers(domain) else { return nil }
      return Problem(.email, .emailDomain, Sentence(EmailSentence.domainBlocked))
    case .maximumLength(let maximum):
      if candidate.length > maximum {
        return Problem(.email, .emailTooLong, Sentence(EmailSentence.tooLong, ["limit": .number(maximum)]))
      }
      guard candidate.localLength > EmailRules.maximumLocalLength else { return nil }
      return Problem(
        .email, .emailTooLong,
        Sentence(EmailSentence.nameTooLong, ["limit": .number(EmailRules.maximumLocalLength)]))
    }
  }

  /// Whether an ASCII address certainly keeps the rule. Asked before its grammar is looked at, and for every
  /// `registration.validate`: allocates nothing.
  ///
  /// - Returns: Never true where `problem` would find one. False says nothing.
  func isCertainlyKept(by typed: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .notBlocked(let domains): domains.isEmpty
    case .maximumLength(let maximum): typed.count <= maximum
    }
  }
}

/// An address that is judged, or what was typed in its place. Lengths are bytes: of the text in NFC or of the key, whichever
/// is longer.
struct AddressCandidate {
  let length: Int
  /// Of the part before the @; 0 if there is no @.
  let localLength: Int
  /// In lower-case A-labels; nil if it breaks the grammar.
  let domain: String?
}
