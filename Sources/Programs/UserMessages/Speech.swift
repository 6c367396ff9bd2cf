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
