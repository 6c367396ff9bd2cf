internal import ConfigurationFile
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

extension SettingsReader {
  /// Reads the catalogues that the settings name, and notes all of their problems.
  mutating func languages(_ messages: MessageSettings) -> Languages {
    let folders = CatalogFolders(configuration: file, overriding: messages.directory)
    do throws(CatalogFolders.Failure) {
      let catalogs = try folders.load { !EveryMessage.isOfClient($0) }
      let languages = Languages(catalogs: catalogs, standard: messages.language)
      let tags = languages.tags.map(\.description)
      if !tags.contains("\(messages.language)") {
        refuse(
          "messages.language",
          "there is no catalogue \"\(messages.language)\"; choose one of \(tags.joined(separator: ", "))")
      }
      return languages
    } catch {
      for wrong in error.problems {
        // the problem is that of the folder itself, not of a file in it
        if wrong.path == folders.overriding {
          refuse("messages.directory", "\(wrong.path) \(wrong.problem.message)")
          continue
        }
        refuse(ConfigurationProblem(place: wrong.place, key: wrong.problem.key, message: wrong.problem.message))
      }
      return .english
    }
  }
}
