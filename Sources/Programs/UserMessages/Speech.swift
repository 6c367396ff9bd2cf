internal import ConfigurationFile
internal import Linux
package import Localization

/// The language of the program's output.
package enum Speech {
  /// The user's language, from the environment.
  package static let locale = UserLocale(ThisProcess.variable)

  /// The user's language if it has a catalogue, otherwise English.
  package static let language: Language = {
    guard case .language(let wanted) = locale else { return .english }
    return ShippedLanguages.language(wanted)
  }()

  package static var isEnglish: Bool { language.tag.primary == Language.english.tag.primary }

  /// The sentence in the user's language. Each value in it is one line, and cannot control a terminal, because it may come from
  /// another process.
  package static func text(_ sentence: LocalizedMessage) -> String { language.text(of: sentence.harmless) }

  package static func text(
    _ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]
  ) -> String {
    text(LocalizedMessage(key, values))
  }

  /// An error of regd in one line.
  ///
  /// - Parameter reason: The error's stable name, for programs.
  package static func line(_ message: String, reason: String) -> String {
    text(RefusalMessageKey.withReason, ["message": .text(message), "reason": .text(reason)])
  }
}

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

/// The programs' catalogues: those that regd has without a configuration file. Files in the directory that the variable
/// REGD_MESSAGES_DIRECTORY names override them.
enum ShippedLanguages {
  /// Loads this language, or the nearest less specific one that has a catalogue (`pt` for `pt-BR`), otherwise English.
  /// If a catalogue cannot be used, reports the problem on standard error and uses English.
  static func language(_ wanted: String) -> Language {
    // no catalogue is loaded for English, to keep the start short
    guard let tag = LanguageTag(wanted), tag.primary != Language.english.tag.primary else { return .english }
    let folders = CatalogFolders(
      configuration: nil, overriding: ThisProcess.variable("REGD_MESSAGES_DIRECTORY") ?? "")
    do throws(CatalogFolders.Failure) {
      let catalogs = try folders.load(only: Array(sequence(first: tag, next: \.plainer)))
      return Languages(catalogs: catalogs, standard: Language.english.tag).language(for: wanted) ?? .english
    } catch {
      for problem in error.problems { report(problem) }
      return .english
    }
  }

  /// Reports in English, because the catalogue of the user's language is missing.
  private static func report(_ problem: CatalogFolders.Problem) {
    let place = problem.problem.line.map { "\(problem.path):\($0)" } ?? problem.path
    let reason = [problem.problem.key, problem.problem.message].compactMap { $0 }.joined(separator: ": ")
    Terminal.report(
      text: LocalizedMessage(FailureMessageKey.catalogue, ["file": .text(place), "reason": .text(reason)]).english)
  }
}

extension String {
  /// A text without placeholders, in the user's language.
  package static func said(_ key: some MessageKey) -> String { Speech.text(key) }
}

extension LocalizedMessage.Content {
  /// A list of names.
  ///
  /// - Parameters:
  ///   - between: The sentence that joins two of them.
  ///   - isCut: Whether to add that there are more names.
  package static func list(
    _ names: some Sequence<String>, _ between: ListMessageKey = .comma, isCut: Bool = false
  ) -> Self {
    let joined = names.reduce(nil as Self?) { list, name in
      guard let list else { return .text(name) }
      return .sentence(LocalizedMessage(between, ["first": list, "second": .text(name)]))
    }
    let list = joined ?? ""
    return isCut ? .sentence(LocalizedMessage(ListMessageKey.more, ["list": list])) : list
  }
}

extension LocalizedMessage {
  fileprivate var harmless: LocalizedMessage {
    LocalizedMessage(
      key,
      values: values.map { value in
        switch value.content {
        case .text(let text): (value.name, .text(HarmlessText.line(text)))
        case .number: (value.name, value.content)
        case .sentence(let sentence): (value.name, .sentence(sentence.harmless))
        }
      })
  }
}
