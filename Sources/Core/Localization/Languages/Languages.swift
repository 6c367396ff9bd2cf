/// The available languages: the catalogues, and the compiled-in English.
package struct Languages: Equatable, Sendable {
  private let byTag: [LanguageTag: Language]
  /// The language for persons who ask for none: the operator's `messages.language`. If it is not available, this is a
  /// less specific one (`es` for `es-MX`), otherwise English.
  package let standard: Language

  /// - Parameters:
  ///   - catalogs: The catalogues, each for another language.
  ///   - standard: The operator's `messages.language`, which also supplies the texts that another language lacks.
  package init(catalogs: [MessageCatalog], standard: LanguageTag) {
    let known = Dictionary(catalogs.map { ($0.tag, $0) }) { first, _ in first }
    let languages = known.mapValues { catalog in
      Language(catalog.tag, chain: Self.chain(catalog.tag, known, behind: standard))
    }
    byTag = languages.merging([Language.english.tag: .english]) { given, _ in given }
    self.standard = Self.found(standard, in: byTag) ?? byTag[Language.english.tag]!
  }

  /// English alone.
  package static let english = Languages(catalogs: [], standard: Language.english.tag)

  /// The tags of the languages, sorted.
  package var tags: [LanguageTag] { byTag.keys.sorted { $0.description < $1.description } }

  /// The best available language for a list, by the look-up of RFC 4647: each range is made plainer until there is a language
  /// with that tag, so `es-MX` finds `es`, but `es` never finds `es-MX`.
  ///
  /// - Parameter ranges: A list as in `Accept-Language` (RFC 9110 section 12.5.4), of at most 255 bytes.
  /// - Returns: Nil if `ranges` names no available language, is `*`, too long, or nil.
  package func language(for ranges: String?) -> Language? {
    guard let ranges else { return nil }
    let list = LanguageRanges(ranges)
    for tag in list.wanted {
      if let language = Self.found(tag, in: byTag, but: list.refused) { return language }
    }
    return nil
  }

  /// The first available language among the tag and its plainer ones.
  ///
  /// - Parameter refused: Languages at which the search ends without a result.
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

  /// The catalogues in which a text is looked up, in this order. The chain ends at English, because the compiled-in English has
  /// every text.
  private static func chain(
    _ tag: LanguageTag, _ known: [LanguageTag: MessageCatalog], behind standard: LanguageTag
  ) -> [MessageCatalog] {
    let own = sequence(first: tag, next: \.plainer)
    guard tag.primary != Language.english.tag.primary else { return own.compactMap { known[$0] } }
    let behind = sequence(first: standard, next: \.plainer).filter { other in !own.contains(other) }
    return own.compactMap { known[$0] } + behind.compactMap { known[$0] }
  }
}
