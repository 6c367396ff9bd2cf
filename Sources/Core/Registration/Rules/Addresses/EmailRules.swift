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
