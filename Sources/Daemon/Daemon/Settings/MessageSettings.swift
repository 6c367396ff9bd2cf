package import Sentences

/// `messages`: the language for texts to people, and an operator's own texts.
package struct MessageSettings: Equatable, Sendable {
  /// Used if a caller names no available language, and for texts that another language lacks.
  package var language: LanguageTag
  /// A folder of catalogues whose texts override the others; "" for none.
  package var directory: String

  init(_ reader: inout SettingsReader) {
    let typed = reader.string("messages.language", default: "\(Language.english.tag)")
    language = LanguageTag(typed) ?? Language.english.tag
    if LanguageTag(typed) == nil {
      reader.refuse(
        "messages.language", "must be the name of a language (BCP 47), such as en or es-MX, not \"\(typed)\"")
    }
    directory = reader.pathText("messages.directory", default: "")
    if !directory.isEmpty, !directory.hasPrefix("/") {
      reader.refuse("messages.directory", "must be an absolute path, not \"\(directory)\"")
    }
  }
}
