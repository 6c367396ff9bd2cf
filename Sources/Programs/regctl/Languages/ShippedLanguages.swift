internal import ConfigurationFile
internal import Linux
internal import Sentences

/// The catalogues that regctl finds: where regd without a configuration file of its own would, and in the directory that
/// REGD_MESSAGES_DIRECTORY names, whose texts go first.
enum ShippedLanguages {
  /// The language of that name or a plainer one, if there is a catalogue of it; else English. A catalogue that cannot be used is told on
  /// standard error, and English takes the place of all.
  static func language(_ wanted: String) -> Language {
    // an English one is not looked for: regctl's start is to stay short
    guard let tag = LanguageTag(wanted), tag.primary != Language.english.tag.primary else { return .english }
    let folders = CatalogueFolders(
      configuration: nil, overriding: ThisProcess.variable("REGD_MESSAGES_DIRECTORY") ?? "")
    do throws(CatalogueFolders.Failure) {
      let catalogues = try folders.load(only: Array(sequence(first: tag, next: \.plainer)))
      return Languages(catalogues: catalogues, standard: Language.english.tag).language(for: wanted) ?? .english
    } catch {
      for problem in error.problems { report(problem) }
      return .english
    }
  }

  /// In English: the user's language is what is missing.
  private static func report(_ problem: CatalogueFolders.Problem) {
    let place = problem.problem.line.map { "\(problem.path):\($0)" } ?? problem.path
    let reason = [problem.problem.key, problem.problem.message].compactMap { $0 }.joined(separator: ": ")
    Terminal.report(text: Sentence(FailureSentence.catalogue, ["file": .text(place), "reason": .text(reason)]).english)
  }
}
