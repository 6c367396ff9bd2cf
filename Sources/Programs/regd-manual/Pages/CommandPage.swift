/// The parts of a page about a command of regctl. They come from the command's own help, as `regctl help` prints it.
/// The exit statuses and the examples come from the article.
struct CommandPage {
  private let command: CommandRow
  private let texts: Texts

  init(_ command: CommandRow, _ texts: Texts) { (self.command, self.texts) = (command, texts) }

  /// The help's text, and the sections of the article about regctl that name the command in their headings.
  func description(
    _ sections: (ArticleText) throws -> [String], _ linked: (String, ArticleText) throws -> String
  ) throws -> [String] {
    let sentence = command.abstract.hasSuffix(".") ? command.abstract : "\(command.abstract)."
    let article = texts.article(ManualPage.client.articles[0])
    return try [Markdown.plain(sentence)] + command.explanation + (article.map(sections) ?? [])
  }

  var generated: [String] {
    let help = texts.client
    var parts: [String] = []
    if !command.subcommands.isEmpty {
      parts += ["# COMMANDS"]
      parts += command.leaves.map {
        Markdown.definition($0.synopsis(shared: help.shared), $0.text(shared: help.shared))
      }
    }
    let common = help.shared.filter { option in command.leaves.contains { $0.ownOptions.contains(option) } }
    let own = command.subcommands.isEmpty ? command.ownOptions.filter { !common.contains($0) } : []
    parts += ["# OPTIONS", help.options(own + common)]
    return parts + exitStatus + examples
  }

  /// The command's own statuses or, if its help names no statuses, those of the article that apply to it.
  private var exitStatus: [String] {
    if !command.exitStatus.isEmpty { return ["# EXIT STATUS"] + command.exitStatus }
    let takesSocket = command.leaves.contains { $0.ownOptions.contains { $0.isNamed("--socket") } }
    let tables = texts.article(ManualPage.client.articles[0])?.sections.first { $0.title == "Exit status" }?.tables
    return (tables ?? []).flatMap { table in
      let rows = table.filtered { row in
        let text = row.joined(separator: " ")
        if text.contains("`regctl ") { return text.contains("`regctl \(command.name)") }
        // regd is unreachable, or did not answer
        return takesSocket || !["3", "4"].contains(row[0])
      }
      return ["# EXIT STATUS", rows.definitions]
    }
  }

  /// Up to five calls, from the first article that shows any.
  private var examples: [String] {
    for article in texts.articlesForExamples {
      let lines = article.codeLines.filter(calls)
      let direct = lines.filter { $0.hasPrefix("regctl ") }
      let chosen = (direct.isEmpty ? lines : direct).reduce(into: [String]()) { chosen, line in
        if chosen.count < 5, !chosen.contains(line) { chosen.append(line) }
      }
      if !chosen.isEmpty { return ["# EXAMPLES", chosen.map { "    \($0)" }.joined(separator: "\n")] }
    }
    return []
  }

  private func calls(_ line: String) -> Bool {
    guard let call = line.firstRange(of: "regctl \(command.name)") else { return false }
    let (before, next) = (line[..<call.lowerBound], line[call.upperBound...].first)
    return (before.isEmpty || ["$(", "| ", "; ", "&& "].contains { before.hasSuffix($0) })
      && (next == nil || next == " " || next == ";")
  }
}
