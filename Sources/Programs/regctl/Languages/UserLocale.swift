/// Which language the user reads, by the environment (POSIX, "Locale", 8.2; locale(7)).
enum UserLocale: Equatable {
  /// The environment names none, as `C` and `POSIX` do: regctl speaks English, and regd what it is configured to.
  case none
  /// BCP 47, as `pt-BR`.
  case language(String)
  /// One whose character set is not UTF-8, which is all that regctl writes: English has no other characters than ASCII.
  case otherCharacterSet

  /// By the first of LC_ALL, LC_MESSAGES and LANG that is set and not empty.
  init(_ variable: (String) -> String?) {
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

  /// What regd is to be told; nil for nothing, and regd speaks as it is configured to.
  var wish: String? {
    switch self {
    case .none: nil
    case .language(let language): language
    case .otherCharacterSet: "en"
    }
  }
}
