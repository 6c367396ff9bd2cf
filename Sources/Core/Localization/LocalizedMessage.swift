/// A message for a person, not yet in any language: its key, and the values for its places (placeholders).
///
/// The code that reports something makes a message. The code that shows it puts it into a language just before output
/// (`Language.text(of:)`). Two messages are equal if they have the same key and values.
package struct LocalizedMessage: Sendable {
  /// Its key in the catalogues.
  package let key: any MessageKey
  /// The values for the places of the template, by name.
  package let values: [Value]

  /// The value for one place.
  package struct Value: Hashable, Sendable {
    package let name: String
    package let content: Content
  }

  package enum Content: Hashable, Sendable {
    /// Inserted unchanged, whatever its language and direction.
    case text(String)
    /// Written in digits. It also selects a plural form.
    case number(Int)
    /// Expressed in the same language.
    case sentence(LocalizedMessage)
  }

  package init(_ key: some MessageKey, _ values: KeyValuePairs<String, Content> = [:]) {
    self.key = key
    self.values = values.map { Value(name: $0, content: $1) }
  }

  /// - Parameter values: The values for the places, by name.
  package init(_ key: some MessageKey, values: [(name: String, content: Content)]) {
    self.key = key
    self.values = values.map { Value(name: $0.name, content: $0.content) }
  }

  /// This message followed by another one, joined as the language requires.
  package func followed(by other: LocalizedMessage) -> LocalizedMessage {
    LocalizedMessage(GeneralMessageKey.twoSentences, ["first": .sentence(self), "second": .sentence(other)])
  }

  /// The message in the compiled-in English: for logs and for readers of the code.
  package var english: String { Language.english.text(of: self) }
}

extension LocalizedMessage: Hashable {
  package static func == (one: LocalizedMessage, other: LocalizedMessage) -> Bool {
    AnyHashable(one.key) == AnyHashable(other.key) && one.values == other.values
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(key))
    hasher.combine(values)
  }
}

extension LocalizedMessage.Content: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int) { self = .number(value) }
}

/// The messages that every area needs.
package enum GeneralMessageKey: String, MessageKey {
  /// Lets each language decide whether a space separates two sentences.
  case twoSentences = "general.twoSentences: {first} {second}"
}

/// The messages of one area, such as those about passwords. The raw value of each case is an entry of the English
/// catalogue: the key, a colon, a space, and the message as a template (see `Template`).
///
/// Each area has its own enumeration, so that the compiler knows the keys. The last part of a key is the name of its
/// case. The other parts are the same in the whole enumeration. A test checks this, and that each key is translated
/// and used.
package protocol MessageKey: Sendable, Hashable, CaseIterable, RawRepresentable
where RawValue == String, AllCases == [Self] {}

extension MessageKey {
  /// The key in a catalogue, for example `password.tooShort`. Cut from the raw value: regd needs all names at its start,
  /// and interpolating the case instead would take 100 times as long.
  package var name: String { String(rawValue[..<colon]) }

  /// The English message, as a template.
  package var english: String {
    let utf8 = rawValue.utf8
    return String(rawValue[(utf8.index(colon, offsetBy: 2, limitedBy: utf8.endIndex) ?? utf8.endIndex)...])
  }

  private var colon: String.Index { rawValue.utf8.firstIndex(of: UInt8(ascii: ":")) ?? rawValue.endIndex }

  /// The parts that all keys of the enumeration have in common, for example `password`.
  package static var area: String {
    let name = allCases.first?.name ?? ""
    return String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
  }
}
