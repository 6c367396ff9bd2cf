/// The user's language, from the environment (POSIX, "Locale", 8.2, and locale(7)).
package enum UserLocale: Equatable, Sendable {
  /// The environment names no language, as with `C` and `POSIX`. Programs then write English, and regd its
  /// configured language.
  case none
  /// A language in BCP 47, such as `pt-BR`.
  case language(String)
  /// The character set is not UTF-8, and programs of regd write only UTF-8: English is safe, because its texts are ASCII.
  case otherCharacterSet

  /// Uses the first of LC_ALL, LC_MESSAGES and LANG that is set and not empty.
  package init(_ variable: (String) -> String?) {
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    self.init(name: name)
  }

  /// - Parameter name: `language[_territory][.codeset][@modifier]`.
  private init(name: String) {
    let named = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
    let parts = named.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let language = parts.first ?? ""
    guard !["", "C", "POSIX"].contains(language), !language.contains("/") else {
      self = .none
      return
    }
    if parts.count > 1, !["utf-8", "utf8"].contains(parts[1].lowercased()) {
      self = .otherCharacterSet
    } else {
      self = .language(String(language.replacing("_", with: "-")))
    }
  }

  /// The language to request from regd, or nil to let regd use its configured one.
  package var wish: String? {
    switch self {
    case .none: nil
    case .language(let language): language
    case .otherCharacterSet: "en"
    }
  }
}
