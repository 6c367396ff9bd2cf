internal import Localization

/// Decides which addresses regd accepts, and computes the keys by which it compares them.
///
/// The grammar is RFC 5321 §4.1.2 with dot-atoms only: no quoted strings, no comments, no address literals. RFC 6531
/// also applies if `internationalized`. The domain must have a dot, because a bare name is not a mail domain of the
/// public Internet.
package struct EmailRules: Sendable {
  /// Whether non-ASCII characters are accepted (RFC 6531).
  private let internationalized: Bool
  /// The rules in the order in which problems are reported, after those of the grammar.
  private let rules: [AddressRule]
  private let normalizer: any TextNormalizer
  /// The most bytes of an address in NFC.
  private let maximumLength: Int

  /// The most octets of a local part (RFC 5321 §4.5.3.1.1).
  static let maximumLocalLength = 64

  /// - Parameters:
  ///   - maximumLength: The most octets of the whole address in NFC.
  ///   - internationalized: Whether non-ASCII characters are accepted (RFC 6531).
  ///   - allowedDomains: The only domains that are accepted, if there are any: `example.org`, or `*.example.org` for all below it.
  ///   - blockedDomains: Domains that are refused, with everything below them.
  ///   - blockedList: More refused domains. The rules before and after a reload share this list. So a form that a
  ///     person left open, which keeps its old rules, keeps no old list in memory.
  package init(
    maximumLength: Int = longestAddress, internationalized: Bool = true, allowedDomains: [String] = [],
    blockedDomains: [String] = [], blockedList: Reloadable<DomainList>? = nil, normalizer: any TextNormalizer
  ) {
    self.internationalized = internationalized
    self.maximumLength = maximumLength
    self.normalizer = normalizer
    rules = [
      .notBlocked(DomainList(blockedDomains.map { normalizer.asciiDomain($0) ?? $0 }), blockedList),
      .allowed(DomainPatterns(allowedDomains, normalizer)), .maximumLength(maximumLength),
    ]
  }

  package struct Refusal: Error, Equatable, Sendable {
    package let problems: [Problem]
  }

  /// The address, or every rule that `typed` breaks. Nil and "" count as missing. White space and invisible marks before and
  /// after the address are ignored.
  package func check(_ typed: String?) -> Result<EmailAddress, Refusal> {
    guard let typed = typed.map(AddressMargins.removed), !typed.isEmpty else {
      return refuse(.emailMissing, .missing)
    }
    guard let at = typed.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      let length = composed(typed[...], within: maximumLength).utf8.count
      let syntax = Problem(.email, .emailSyntax, LocalizedMessage(EmailMessageKey.syntax))
      return .failure(Refusal(problems: [syntax] + problems(with: .init(length: length, localLength: 0, domain: nil))))
    }
    let local = composed(typed[..<at], within: Self.maximumLocalLength)
    let unicode = composed(typed[typed.utf8.index(after: at)...], within: Self.longestDomain)
    if local.isEmpty, unicode.isEmpty {
      return refuse(.emailSyntax, .nothingButAt)
    }
    let (key, domain) = (checkLocal(local), checkDomain(unicode))
    var problems: [Problem] = []
    for case .failure(let refusal) in [key, domain] {
      problems += refusal.problems.filter { problem in !problems.contains { $0.reason == problem.reason } }
    }
    // A key may be longer than its address. Both must keep the limit, because a person may type the address in the form
    // of its key.
    let localLength = max(local.utf8.count, ((try? key.get()) ?? "").utf8.count)
    let domainLength = max(unicode.utf8.count, ((try? domain.get()) ?? "").utf8.count)
    problems += self.problems(
      with: .init(length: localLength + 1 + domainLength, localLength: localLength, domain: try? domain.get()))
    guard case .success(let local) = key, case .success(let domain) = domain else {
      return .failure(Refusal(problems: problems))
    }
    guard problems.isEmpty else { return .failure(Refusal(problems: problems)) }
    return .success(EmailAddress(stored: typed, key: EmailKey("\(local)@\(domain)")))
  }

  /// The hot path of `check`. Allocates nothing.
  ///
  /// - Returns: The index of the @ if the address certainly breaks no rule. The result nil proves nothing.
  func certainlyAccepts(_ typed: UnsafeRawBufferPointer) -> Int? {
    guard typed.count <= maximumLength, let at = PlainAddress.at(in: typed) else { return nil }
    for rule in rules where !rule.isCertainlyKept(by: typed, at: at) { return nil }
    return at
  }

  private func problems(with candidate: AddressCandidate) -> [Problem] {
    rules.compactMap { $0.problem(with: candidate) }
  }

  /// Checks the address of an existing account by the default rules, not by the present settings. So regd finds an
  /// account even if its domain was blocked later, or addresses have to be shorter now.
  package func addressOfAccount(_ typed: String?) -> Result<EmailAddress, Refusal> {
    if var typed = typed.map(AddressMargins.removed),
      typed.withUTF8({ $0.count <= Self.longestAddress && PlainAddress.at(in: UnsafeRawBufferPointer($0)) != nil })
    {
      return .success(EmailAddress(stored: typed, key: EmailKey(typed.lowercased())))
    }
    return EmailRules(normalizer: normalizer).check(typed)
  }

  /// The most octets of an address: a path, which is an address in angle brackets, has at most 256 (RFC 5321
  /// §4.5.3.1.3).
  static let longestAddress = 254

  /// The most bytes of a typed domain, which has at most 253 characters of at most four bytes each.
  private static let longestDomain = 4 * DomainName.longest

  /// The text in NFC, so that a keyboard that decomposes characters makes an address neither longer nor different. NFC is at most
  /// three times shorter (UAX #15, "Stability and Implementation"), so a text longer than three times the limit exceeds the limit
  /// in either form and need not be composed.
  private func composed(_ text: Substring, within limit: Int) -> String {
    guard text.utf8.count <= 3 * limit else { return String(text) }
    var text = String(text)
    return String(decoding: text.withUTF8 { normalizer.composed(UnsafeRawBufferPointer($0)) }, as: UTF8.self)
  }

  private func checkLocal(_ local: String) -> Result<String, Refusal> {
    if local.isEmpty { return refuse(.emailSyntax, .nameMissing) }
    if let sentence = DotAtom.problem(in: local, internationalized: internationalized) {
      return refuse(.emailSyntax, sentence)
    }
    // a local part that is too long is refused anyway, so it is not case-folded
    guard local.utf8.count <= Self.maximumLocalLength else { return .success(local) }
    let key = String(decoding: normalizer.folded(local), as: UTF8.self)
    // compatibility characters may normalize to a space or an @
    if let sentence = DotAtom.problem(in: key, internationalized: internationalized) {
      return refuse(.emailSyntax, sentence)
    }
    return .success(key)
  }

  private func checkDomain(_ domain: String) -> Result<String, Refusal> {
    if domain.isEmpty { return refuse(.emailSyntax, .domainMissing) }
    if !internationalized, !domain.utf8.allSatisfy({ $0 < 0x80 }) {
      return refuse(.emailDomain, .domainASCII)
    }
    if domain.utf8.contains(UInt8(ascii: " ")) { return refuse(.emailDomain, .space) }
    if domain.utf8.count <= Self.longestDomain, InvisibleCharacters.standIn(domain: domain) {
      return refuse(.emailDomain, .domainInvisible)
    }
    guard let ascii = DomainName.ascii(domain, normalizer) else { return refuse(.emailDomain, .domain) }
    guard ascii.utf8.contains(UInt8(ascii: ".")) else {
      return refuse(.emailDomain, .domainDot)
    }
    return .success(ascii)
  }

  private func refuse<Value>(_ reason: Problem.Reason, _ sentence: EmailMessageKey) -> Result<Value, Refusal> {
    refuse(reason, LocalizedMessage(sentence))
  }

  private func refuse<Value>(_ reason: Problem.Reason, _ sentence: LocalizedMessage) -> Result<Value, Refusal> {
    .failure(Refusal(problems: [Problem(.email, reason, sentence)]))
  }
}

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

/// The grammar of addresses for the hot path: only ASCII, and no A-labels. Allocates nothing.
enum PlainAddress {
  /// - Returns: The index of the @ if the text certainly is an address, whose key is then its text in lower case. Nil
  ///   proves nothing.
  static func at(in typed: UnsafeRawBufferPointer) -> Int? {
    var at = 0
    var isAfterDot = true
    while at < typed.count, typed[at] != UInt8(ascii: "@") {
      let byte = typed[at]
      if byte == UInt8(ascii: ".") {
        if isAfterDot { return nil }
        isAfterDot = true
      } else {
        guard ASCII.isText(byte) else { return nil }
        isAfterDot = false
      }
      at &+= 1
    }
    guard !isAfterDot, (1...EmailRules.maximumLocalLength).contains(at) else { return nil }
    return isDomain(typed, from: at &+ 1) ? at : nil
  }

  /// Whether the text is two or more labels of letters, digits and hyphens, the last one with a letter or hyphen, and none an
  /// A-label.
  private static func isDomain(_ typed: UnsafeRawBufferPointer, from start: Int) -> Bool {
    let count = typed.count
    guard count &- start <= 253 else { return false }
    var label = start
    var labels = 1
    var hasLetter = false
    var position = start
    while position < count {
      let byte = typed[position]
      // an ASCII letter in either case
      if (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-") {
        hasLetter = true
      } else if byte == UInt8(ascii: ".") {
        guard isLabel(typed, label, position) else { return false }
        labels &+= 1
        hasLetter = false
        label = position &+ 1
      } else if byte &- UInt8(ascii: "0") >= 10 {
        return false
      }
      position &+= 1
    }
    return labels >= 2 && hasLetter && isLabel(typed, label, count)
  }

  /// Whether a part of the text, already known to be letters, digits and hyphens, is a label but not an A-label.
  @inline(__always)
  private static func isLabel(_ typed: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
    let length = end &- start
    return (1...63).contains(length) && typed[start] != UInt8(ascii: "-") && typed[end &- 1] != UInt8(ascii: "-")
      && (length < 4 || typed[start &+ 2] != UInt8(ascii: "-") || typed[start &+ 3] != UInt8(ascii: "-"))
  }
}
