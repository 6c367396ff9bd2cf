package import Localization

/// `messages`: the default language of texts for people, and a folder of the operator's own texts.
package struct MessageSettings: Equatable, Sendable {
  /// The language for callers that name no available one, and for texts that another language lacks.
  package var language: LanguageTag
  /// A folder of catalogues whose texts override the others, or "" for none.
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
