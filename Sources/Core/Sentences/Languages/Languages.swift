/// The languages that there are: the catalogues, and English as it is compiled in.
package struct Languages: Equatable, Sendable {
  private let byTag: [LanguageTag: Language]
  /// What is spoken to who asks for none: the operator's `messages.language`, or the plainer one that there is; else English.
  package let standard: Language

  /// - Parameters:
  ///   - catalogues: Each of another language.
  ///   - standard: Says, too, what another language lacks.
  package init(catalogues: [Catalogue], standard: LanguageTag) {
    let known = Dictionary(catalogues.map { ($0.tag, $0) }) { first, _ in first }
    let languages = known.mapValues { catalogue in
      Language(catalogue.tag, chain: Self.chain(catalogue.tag, known, behind: standard))
    }
    byTag = languages.merging([Language.english.tag: .english]) { given, _ in given }
    self.standard = Self.found(standard, in: byTag) ?? byTag[Language.english.tag]!
  }

  /// English alone.
  package static let english = Languages(catalogues: [], standard: Language.english.tag)

  /// Their tags, sorted.
  package var tags: [LanguageTag] { byTag.keys.sorted { $0.description < $1.description } }

  /// The language that there is for who reads these, by RFC 4647's look-up: each range is made plainer until there is a
  /// language of that name, so `es-MX` finds `es`, and `es` never `es-MX`.
  ///
  /// - Parameter ranges: A list as in `Accept-Language` (RFC 9110 section 12.5.4), of 255 bytes at most.
  /// - Returns: Nil where it names no language that there is; also for `*`, a longer list, and nil.
  package func language(for ranges: String?) -> Language? {
    guard let ranges else { return nil }
    let list = LanguageRanges(ranges)
    for tag in list.wanted {
      if let language = Self.found(tag, in: byTag, but: list.refused) { return language }
    }
    return nil
  }

  /// The first that there is of the tag and its plainer ones.
  ///
  /// - Parameter refused: What is not to be found by making it plainer; plainer ones of these neither.
  private static func found(
    _ tag: LanguageTag, in languages: [LanguageTag: Language], but refused: Set<LanguageTag> = []
  ) -> Language? {
    var candidate: LanguageTag? = tag
    while let next = candidate, !refused.contains(next) {
      if let language = languages[next] { return language }
      candidate = next.plainer
    }
    return nil
  }

  /// The catalogues that are asked for a text in this order. English as it is compiled in has every text: nothing comes behind it.
  private static func chain(
    _ tag: LanguageTag, _ known: [LanguageTag: Catalogue], behind standard: LanguageTag
  ) -> [Catalogue] {
    let own = sequence(first: tag, next: \.plainer)
    guard tag.primary != Language.english.tag.primary else { return own.compactMap { known[$0] } }
    let behind = sequence(first: standard, next: \.plainer).filter { other in !own.contains(other) }
    return own.compactMap { known[$0] } + behind.compactMap { known[$0] }
  }
}
