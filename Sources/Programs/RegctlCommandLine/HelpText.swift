internal import ArgumentParser
internal import FullScreen
internal import Linux
internal import Localization
internal import UserMessages

/// Help in the user's language. Most texts are regctl's own, but ArgumentParser has English headings and English help of its
/// own options, and lays lines out by counting characters. So ArgumentParser renders without breaking lines, and this type
/// translates ArgumentParser's words and breaks the lines by the columns of their characters.
struct HelpText {
  private let language: Language
  private let glyphs: Glyphs
  private let columns: Int

  /// The columns before the description of an option (ArgumentParser's `labelColumnWidth`).
  private static let labelColumns = 26
  /// The end of the heading that ArgumentParser gives a group of commands.
  private static let ofGroup = " SUBCOMMANDS:"
  /// Enough columns that ArgumentParser breaks no line.
  private static let unbroken = 100_000

  init(_ language: Language = Speech.language, _ glyphs: Glyphs = .ofLocale(), columns: Int = Terminal.width) {
    (self.language, self.glyphs, self.columns) = (language, glyphs, max(columns, 60))
  }

  /// Whether the error is a request for help. Completions and the version, which ArgumentParser also throws as errors,
  /// are not.
  static func isHelp(_ error: any Error, of root: any ParsableCommand.Type) -> Bool {
    root.fullMessage(for: error).hasPrefix(LibraryHelp.overview.english)
  }

  /// The requested help.
  ///
  /// - Parameters:
  ///   - error: The error that ArgumentParser threw for it.
  ///   - root: The command that the command line was parsed as.
  func help(for error: any Error, of root: any ParsableCommand.Type) -> String {
    said(root.fullMessage(for: error, columns: Self.unbroken))
  }

  /// The error in the command line, and the command's usage.
  func usage(for error: any Error, of root: any ParsableCommand.Type) -> String {
    let message = root.message(for: error)
    let full = root.fullMessage(for: error, columns: Self.unbroken)
    let head = "Error: \(message)"
    guard full.hasPrefix(head) else { return said(full) }
    let content: LocalizedMessage.Content = LibraryWords.message(message).map { .sentence($0) } ?? .text(message)
    return text(LocalizedMessage(LibraryHelp.error, ["message": content])) + said(String(full.dropFirst(head.count)))
  }

  private func text(_ sentence: LocalizedMessage) -> String { glyphs.isolated(language.text(of: sentence), language) }

  // MARK: Lines

  private func said(_ help: String) -> String {
    help.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
  }

  private func line(_ line: String) -> String {
    for key in [LibraryHelp.arguments, .options, .subcommands] where line == key.english {
      return text(LocalizedMessage(key))
    }
    if line.hasSuffix(Self.ofGroup) { return line.dropLast(Self.ofGroup.count) + ":" }
    for key in [LibraryHelp.usage, .usageAgain] where line.hasPrefix(key.english) {
      return usage(text(LocalizedMessage(key)), line.dropFirst(key.english.count))
    }
    if line.hasPrefix(LibraryHelp.overview.english) {
      return broken(
        language.text(of: LocalizedMessage(LibraryHelp.overview)) + line.dropFirst(LibraryHelp.overview.english.count))
    }
    for key in [LibraryHelp.seeHelp, .seeMore] {
      if let sentence = LibraryWords.match(key, String(line.drop { $0 == " " })) { return "  \(text(sentence))" }
    }
    if let sentence = LibraryWords.match(LibraryHelp.help, line) { return text(sentence) }
    return line.hasPrefix("  ") ? element(line) : broken(line)
  }

  /// Translates an option, an argument or a subcommand followed by its description, or a description on a separate
  /// line.
  private func element(_ line: String) -> String {
    let label = line.prefix(Self.labelColumns)
    guard label.hasSuffix(" "), line.count > Self.labelColumns else { return line }
    let texts = broken(meaning(String(line.dropFirst(Self.labelColumns))), behind: Self.labelColumns)
    return label + texts
  }

  /// Translates a description, at whose end ArgumentParser may have added values and a default.
  private func meaning(_ text: String) -> String {
    for key in [LibraryHelp.showVersion, .showHelp, .showSubcommandHelp] where text == key.english {
      return language.text(of: LocalizedMessage(key))
    }
    for (key, start) in [
      (LibraryHelp.valuesAndDefault, "(values: "), (.values, "(values: "), (.defaultValue, "(default: "),
    ] {
      guard let begin = text.ranges(of: start).last?.lowerBound,
        let sentence = LibraryWords.match(key, String(text[begin...]))
      else { continue }
      return text[..<begin] + language.text(of: sentence)
    }
    return text
  }

  /// A command's usage, broken into lines. A line may end after any word, except between an option and its value, and
  /// before `...`.
  private func usage(_ heading: String, _ words: some StringProtocol) -> String {
    let noBreak = "\u{A0}"
    let kept = String(words).replacing(" <", with: noBreak + "<").replacing(" ...", with: noBreak + "...")
    return heading + broken(kept, behind: glyphs.cells(heading).columns)
  }

  /// ArgumentParser's English text, with the usage broken at the terminal's width.
  func english(_ message: String) -> String {
    message.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      for key in [LibraryHelp.usage, .usageAgain] where line.hasPrefix(key.english) {
        return usage(key.english, line.dropFirst(key.english.count))
      }
      return String(line)
    }.joined(separator: "\n")
  }

  /// - Parameter front: The columns before the text, which are already filled in the first line.
  private func broken(_ text: String, behind front: Int = 0) -> String {
    glyphs.wrapped(text, columns: columns - front).map { glyphs.isolated($0.text, language) }
      .joined(separator: "\n\(String(repeating: " ", count: front))")
  }
}
