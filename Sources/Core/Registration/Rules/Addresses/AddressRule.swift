internal import Sentences

/// One rule for addresses beyond their grammar. Each case answers two questions: whether a candidate breaks it, and whether an
/// ASCII address certainly keeps it. `EmailRules` asks each of its rules in turn.
enum AddressRule: Sendable {
  /// The domain is none of these, which the operator refuses, nor below one of them.
  case notBlocked(DomainSet)
  /// The most bytes of the whole address; the part before the @ has a limit of its own.
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

  /// Whether an ASCII address certainly keeps the rule. Called before the grammar is checked, and for every
  /// `registration.validate`, so it allocates nothing.
  ///
  /// - Returns: Never true if `problem` would find one. False says nothing.
  func isCertainlyKept(by typed: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .notBlocked(let domains): domains.isEmpty
    case .maximumLength(let maximum): typed.count <= maximum
    }
  }
}

/// The address under judgement, or the text typed in its place. Lengths are in bytes: of the text in NFC or of the key, whichever
/// is longer.
struct AddressCandidate {
  let length: Int
  /// The length of the part before the @; 0 if there is no @.
  let localLength: Int
  /// The domain in lower-case A-labels; nil if it breaks the grammar.
  let domain: String?
}
