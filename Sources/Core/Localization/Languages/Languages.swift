internal import Synchronization

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

/// The languages of a running program. A reload replaces them as a whole. Code reads them whenever it writes a message, so a
/// reload also affects connections and forms that are open.
package final class ReloadableLanguages: Sendable {
  private final class Box: Sendable {
    let languages: Languages
    init(_ languages: Languages) { self.languages = languages }
  }

  private let box: Mutex<Box>

  package init(_ languages: Languages) { box = Mutex(Box(languages)) }

  /// The languages in force.
  package var current: Languages { box.withLock { $0 }.languages }

  package func replace(with languages: Languages) {
    let new = Box(languages)
    // the old languages are released outside the lock
    let old = box.withLock { box in
      defer { box = new }
      return box
    }
    withExtendedLifetime(old) {}
  }
}

/// The languages that a person reads, preferred ones first: a list as in `Accept-Language` (RFC 9110 section 12.5.4).
struct LanguageRanges {
  /// The longest list that is read, in bytes.
  static let mostBytes = 255

  /// Sorted by weight, then by position.
  private(set) var wanted: [LanguageTag] = []
  /// The languages with weight 0.
  private(set) var refused: Set<LanguageTag> = []

  /// - Parameter text: Malformed entries are skipped. So is `*`, because it prefers no language, and the caller decides which
  ///   language to use if none was asked for (RFC 4647 section 3.4). A list longer than `mostBytes` counts as empty.
  init(_ text: String) {
    guard text.utf8.count <= Self.mostBytes else { return }
    var weighted: [(tag: LanguageTag, weight: Int)] = []
    for entry in text.split(separator: ",") {
      let parts = entry.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
      guard parts.count <= 2, let tag = Self.tag(parts[0]) else { continue }
      guard let weight = parts.count == 1 ? 1000 : Self.weight(parts[1]) else { continue }
      if weight > 0 { weighted.append((tag, weight)) } else { refused.insert(tag) }
    }
    // the order of equal elements is kept explicitly, because sort(by:) does not guarantee it
    wanted = weighted.enumerated().sorted {
      ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }.map(\.element.tag)
  }

  /// A range as a tag: wildcards after the first subtag are dropped (RFC 4647 section 3.2).
  private static func tag(_ range: Substring) -> LanguageTag? {
    guard range.utf8.contains(UInt8(ascii: "*")) else { return LanguageTag(range) }
    let subtags = range.split(separator: "-", omittingEmptySubsequences: false)
    return subtags[0] == "*" ? nil : LanguageTag(subtags.filter { $0 != "*" }.joined(separator: "-"))
  }

  /// The weight in thousandths: `q=0.8` with up to three digits after the point (RFC 9110 section 12.4.2).
  private static func weight(_ text: Substring) -> Int? {
    let bytes = Array(text.utf8)
    guard (3...7).contains(bytes.count), bytes[0] | 0x20 == UInt8(ascii: "q"), bytes[1] == UInt8(ascii: "="),
      bytes.count == 3 || bytes[3] == UInt8(ascii: ".")
    else { return nil }
    var weight = 0
    for place in [2, 4, 5, 6] {
      let digit = place < bytes.count ? bytes[place] &- UInt8(ascii: "0") : 0
      guard digit < 10 else { return nil }
      weight = weight * 10 + Int(digit)
    }
    return weight <= 1000 ? weight : nil
  }

  /// The text without leading and trailing spaces and tabs.
  private static func trimmed(_ text: Substring) -> Substring {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let last = text.lastIndex(where: { !isSpace($0) }) else { return "" }
    return text[...last].drop(while: isSpace)
  }
}
