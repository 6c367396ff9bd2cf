internal import ConfigurationFile
internal import Localization

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
