/// Writes a page as Markdown, in the order of man-pages(7).
struct PageWriter {
  private let page: ManualPage
  private let texts: Texts

  /// Sections that come at the page's end, from any of its articles.
  private static let last = ["Exit status", "Environment", "Files", "Examples"]

  init(_ page: ManualPage, _ texts: Texts) { (self.page, self.texts) = (page, texts) }

  /// - Throws: If a link of an article leads nowhere.
  func markdown() throws -> String {
    var parts = [
      "# NAME\n\n\(page.name) - \(page.summary)",
      "# SYNOPSIS\n\n" + page.synopsis.joined(separator: "\\\n"),
    ]
    let articles = texts.articles(of: page)
    for article in articles where article.name == page.lead {
      parts += ["# DESCRIPTION", try linked(article.abstract, article)]
      parts += try sections(of: article)
    }
    parts += generated()
    for article in articles where article.name != page.lead {
      parts += ["# \(article.title.uppercased())", try linked(article.abstract, article)]
      parts += try sections(of: article)
    }
    for title in Self.last {
      let bodies = try articles.flatMap { article in
        try article.sections.filter { $0.title == title }.map { try linked(body(of: $0), article) }
      }
      if !bodies.isEmpty { parts += ["# \(title.uppercased())"] + bodies }
    }
    let others = ManualPage.all.filter { $0 != page }.map(\.reference) + page.seeAlso.map(Markdown.reference)
    parts += ["# SEE ALSO", others.joined(separator: ", ")]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func generated() -> [String] {
    switch page {
    case .daemon: ["# OPTIONS", texts.daemon.options(texts.daemon.root.ownOptions)] + texts.daemon.discussion
    case .client: ["# COMMANDS"] + texts.client.commands() + ["# OPTIONS", texts.client.sharedOptions()]
    case .configuration: ["# KEYS"] + texts.keys.map(\.markdown)
    default: []
    }
  }

  private func sections(of article: ArticleText) throws -> [String] {
    var parts: [String] = []
    for section in article.sections where !Self.last.contains(section.title) {
      if section.title != "Overview" { parts.append("## \(section.title)") }
      parts.append(try linked(body(of: section), article))
    }
    return parts
  }

  private func body(of section: ArticleText.Section) -> String {
    section.blocks.map { block in
      switch block {
      case .text(let text): return text
      // a man page has no headings of the third level
      case .heading(let text): return "**\(text)**"
      // only the names, because the method reference on the same page has the rest
      case .table(let table) where table.columns.starts(with: ["method", "params"]):
        return table.rows.map { $0[0] }.joined(separator: ", ")
      // left out, because the generated section COMMANDS is more detailed
      case .table(let table) where page == .client && table.columns.first == "command": return ""
      case .table(let table): return table.definitions
      }
    }
    .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// Turns links between articles into references.
  private func linked(_ text: String, _ article: ArticleText) throws -> String {
    try text.replacing(/<doc:([^>]+)>/) { match in
      let target = String(match.output.1)
      if target.hasPrefix("#") { return "*\(target.dropFirst().replacing("-", with: " "))*" }
      guard let other = texts.article(target) else {
        throw ManualFailure(description: "\(article.name).md links to the article \(target), which there is not")
      }
      guard let home = texts.page(of: target) else { return "*\(other.title)* (an article of the source)" }
      if home == page { return target == page.lead ? "*DESCRIPTION*" : "*\(other.title.uppercased())*" }
      return home.lead == target ? home.reference : "\(home.reference), *\(other.title.uppercased())*"
    }
  }
}
