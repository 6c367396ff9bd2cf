/// Writes a page as Markdown, in the order of man-pages(7).
struct PageWriter {
  private let page: ManualPage
  private let texts: Texts

  /// Sections that come at the page's end, from any of its articles.
  private static let last = ["Exit status", "Signals", "Environment", "Files", "Examples"]

  init(_ page: ManualPage, _ texts: Texts) { (self.page, self.texts) = (page, texts) }

  /// - Throws: If a link of an article leads nowhere.
  func markdown() throws -> String {
    var parts = ["# NAME", "\(page.name) - \(Markdown.plain(page.summary))"]
    if !page.synopsis.isEmpty { parts += ["# SYNOPSIS", page.synopsis.joined(separator: "\\\n")] }
    parts.append("# DESCRIPTION")
    if let command = texts.client.command(page.command) {
      parts += try CommandPage(command, texts).description(sections(of:), linked(_:_:))
    }
    let articles = page.articles.compactMap(texts.article)
    if let lead = articles.first { parts += try [linked(lead.abstract, lead)] + sections(of: lead) }
    let excerpted = texts.articles(excerptedBy: page)
    for article in excerpted { parts += try sections(of: article) }
    parts += generated()
    for article in articles.dropFirst() {
      parts += ["# \(article.title.uppercased())", try linked(article.abstract, article)]
      parts += try sections(of: article)
    }
    parts += try ending(articles + excerpted)
    let text = parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    return "\(text)\n\n# SEE ALSO\n\n\(seeAlso(text))\n"
  }

  private func generated() -> [String] {
    switch page {
    case .daemon: ["# OPTIONS", texts.daemon.options(texts.daemon.root.ownOptions)] + texts.daemon.discussion
    case .client: ["# COMMANDS", texts.client.commands(), "# OPTIONS", texts.client.options(texts.client.shared)]
    case .configuration: ["# KEYS"] + texts.keys.map(\.markdown)
    default: texts.client.command(page.command).map { CommandPage($0, texts).generated } ?? []
    }
  }

  private func sections(of article: ArticleText) throws -> [String] {
    var parts: [String] = []
    for section in article.sections where belongs(section, of: article) && !Self.last.contains(section.title) {
      if section.title != "Overview", !page.articles.isEmpty || page.command != nil || page.excerpts.count > 1 {
        parts.append("## \(section.heading)")
      }
      parts.append(try linked(body(of: section), article))
    }
    return parts
  }

  /// Whether a section of the article is on this page, and not on another one.
  private func belongs(_ section: ArticleText.Section, of article: ArticleText) -> Bool {
    if let home = texts.page(ofExcerpt: section, of: article) { return home == page }
    if let command = page.command, article.name == ManualPage.client.articles[0] {
      return section.commands.contains(command)
    }
    return section.commands.isEmpty && page.articles.contains(article.name)
  }

  private func ending(_ articles: [ArticleText]) throws -> [String] {
    var parts: [String] = []
    for title in Self.last {
      let bodies = try articles.flatMap { article in
        try article.sections.filter { $0.title == title && belongs($0, of: article) }
          .map { try linked(body(of: $0), article) }
      }
      if !bodies.isEmpty { parts += ["# \(title.uppercased())"] + bodies }
    }
    return parts
  }

  private func body(of section: ArticleText.Section) -> String {
    section.blocks.map { block in
      switch block {
      // the daemon's page is short
      case .text(let text): return page == .daemon ? text.replacing(/```[^`]*```\n*/, with: "") : text
      // a man page has no headings of the third level
      case .heading(let text): return "**\(text)**"
      // only the names, because the method reference on the same page contains the rest
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
      if target.hasPrefix("#") { return link(toSection: String(target.dropFirst().replacing("-", with: " ")), article) }
      guard let other = texts.article(target) else {
        throw ManualFailure(description: "\(article.name).md links to the article \(target), which does not exist")
      }
      guard let home = texts.page(of: target) else { return "the source's article *\(other.title)*" }
      let isLead = home.articles.first == target
      if home == page { return isLead ? "*DESCRIPTION*" : "*\(other.title.uppercased())*" }
      return isLead ? home.reference : "\(home.reference), *\(other.title.uppercased())*"
    }
  }

  /// A link to a section of the same article, which may be on another page.
  private func link(toSection title: String, _ article: ArticleText) -> String {
    guard let section = article.sections.first(where: { $0.title.filter { $0 != ":" } == title }),
      !belongs(section, of: article), let home = texts.page(of: section, of: article)
    else { return "*\(title)*" }
    return home.articles.isEmpty && home.command == nil ? home.reference : "\(home.reference), *\(section.heading)*"
  }

  /// The pages that the text refers to, and those of other projects. For the daemon, all pages of regd.
  private func seeAlso(_ text: String) -> String {
    let named = Set(text.matches(of: /\*\*(reg[a-z.\-]*)\*\*\((\d)\)/).map { "\($0.output.1).\($0.output.2)" })
    let own = texts.pages.filter { other in
      if other == page { return false }
      // the page lists its commands' pages
      if page == .daemon || page == .client, other.command != nil { return false }
      if page == .daemon || other == .daemon || named.contains(other.file) { return true }
      return other == .client && page.command != nil
    }
    let sorted = own.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    return (sorted.map(\.reference) + page.seeAlso.map(Markdown.reference)).joined(separator: ", ")
  }
}
