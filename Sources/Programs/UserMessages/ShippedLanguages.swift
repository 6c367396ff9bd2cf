internal import ConfigurationFile
internal import Linux
internal import Localization

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
