internal import Localization

/// One rule for addresses beyond their grammar. Each case answers two questions: whether a candidate breaks it, and whether an
/// ASCII address certainly keeps it. `EmailRules` asks each of its rules in turn.
///
/// Indirect, because otherwise a loop over the rules copies every part of each rule.
indirect enum AddressRule: Sendable {
  /// Neither list contains the domain or a domain above it. The first list comes from the configuration. The second can
  /// be replaced while regd runs.
  case notBlocked(DomainList, Reloadable<DomainList>?)
  /// The domain is one of these. If there are no patterns, every domain keeps the rule.
  case allowed(DomainPatterns)
  /// The whole address has at most this many bytes. The part before the @ has its own limit.
  case maximumLength(Int)

  /// The problem of an address that breaks the rule, or nil if it keeps the rule.
  func problem(with candidate: AddressCandidate) -> Problem? {
    switch self {
    case .notBlocked(let domains, let list):
      guard let domain = candidate.domain, domains.covers(domain) || list?.with({ $0.covers(domain) }) ?? false else {
        return nil
      }
      return Problem(.email, .emailDomain, LocalizedMessage(EmailMessageKey.domainBlocked))
    case .allowed(let domains):
      guard !domains.isEmpty, let domain = candidate.domain, !domains.contains(domain) else { return nil }
      return Problem(.email, .emailDomainNotAllowed, LocalizedMessage(EmailMessageKey.domainNotAllowed))
    case .maximumLength(let maximum):
      if candidate.length > maximum {
        return Problem(.email, .emailTooLong, LocalizedMessage(EmailMessageKey.tooLong, ["limit": .number(maximum)]))
      }
      guard candidate.localLength > EmailRules.maximumLocalLength else { return nil }
      return Problem(
        .email, .emailTooLong,
        LocalizedMessage(EmailMessageKey.nameTooLong, ["limit": .number(EmailRules.maximumLocalLength)]))
    }
  }

  /// Whether an ASCII address without A-labels, whose @ is at `at`, certainly keeps the rule. Called for every
  /// `registration.validate`, so it allocates nothing.
  ///
  /// - Returns: True only if `problem` would return nil. False shows nothing.
  func isCertainlyKept(by typed: UnsafeRawBufferPointer, at: Int) -> Bool {
    switch self {
    case .notBlocked(let domains, let list):
      if domains.isEmpty, list?.with({ $0.isEmpty }) ?? true { return true }
      let domain = typed[(at + 1)...]
      return withUnsafeTemporaryAllocation(byteCount: domain.count, alignment: 1) { key in
        for (place, byte) in domain.enumerated() { key[place] = ASCII.lowercased(byte) }
        let key = UnsafeRawBufferPointer(key)
        return !domains.covers(key) && !(list?.with { $0.covers(key) } ?? false)
      }
    case .allowed(let domains): return domains.isEmpty
    case .maximumLength(let maximum): return typed.count <= maximum
    }
  }
}

/// The address, or other text, that is checked. A length is the number of bytes of the text in NFC or of the key, whichever is
/// longer.
struct AddressCandidate {
  let length: Int
  /// The length of the part before the @, or 0 if there is no @.
  let localLength: Int
  /// The domain in lower-case A-labels, or nil if it breaks the grammar.
  let domain: String?
}
