internal import Linux
internal import RegdClient
internal import RegdProcesses

/// All sources of the pages.
struct Texts {
  let pages: [ManualPage]
  private let articles: [ArticleText]
  /// The articles that regd.md lists, in its order.
  private let listed: [(group: String, article: String)]
  let keys: [KeySection]
  let daemon: CommandHelp
  let client: CommandHelp
  let version: String

  /// Asks the programs in this one's directory for their descriptions. Starts and stops a regd for that.
  init(checkout: String) throws {
    let articles = try Self.articles(in: "\(checkout)/Sources")
    self.articles = articles
    listed = try Self.listed(articles)
    let configuration = "\(checkout)/Config/regd.yaml"
    keys = KeySection.all(in: try FileReading.text(configuration))
    let programs = ProgramDirectory.own
    daemon = try CommandHelp(program: "\(programs)/regd")
    client = try CommandHelp(program: "\(programs)/regctl")
    version = try MethodDocument(regd: "\(programs)/regd", configuration: configuration).version
    func title(_ name: String) -> String { articles.first { $0.name == name }?.title ?? name }
    let pages = ManualPage.all(client, title: title)
    let named = Set(pages.flatMap(\.articles))
    self.pages =
      pages
      + listed.filter { !named.contains($0.article) }.compactMap {
        ManualPage.page(of: $0.article, in: $0.group, title: title)
      }
    try check()
  }

  func article(_ name: String) -> ArticleText? { articles.first { $0.name == name } }
  func page(of article: String) -> ManualPage? {
    article == ManualPage.keys ? .configuration : pages.first { $0.articles.contains(article) }
  }
  /// The page of a section: an excerpt's, that of the command in the heading, or the article's.
  func page(of section: ArticleText.Section, of article: ArticleText) -> ManualPage? {
    page(ofExcerpt: section, of: article)
      ?? section.commands.first.flatMap { name in pages.first { $0.command == name } } ?? page(of: article.name)
  }
  /// The page that has the section as an excerpt, or nil if no page has it.
  func page(ofExcerpt section: ArticleText.Section, of article: ArticleText) -> ManualPage? {
    pages.first { $0.excerpts.contains("\(article.name)#\(section.title)") }
  }
  func articles(excerptedBy page: ManualPage) -> [ArticleText] {
    let names = page.excerpts.map { String($0.prefix { $0 != "#" }) }
    return articles.filter { names.contains($0.name) }
  }

  /// The articles in which examples of regctl are looked for: first the one about regctl, and then in the order of regd.md.
  var articlesForExamples: [ArticleText] {
    (ManualPage.client.articles + listed.map(\.article)).compactMap(article)
  }

  /// - Throws: If a page names an article or a section that does not exist, or a heading names such a command of regctl.
  private func check() throws {
    for name in pages.flatMap(\.articles) where article(name) == nil {
      throw ManualFailure(description: "a page is made from the article \(name).md, which does not exist")
    }
    for excerpt in pages.flatMap(\.excerpts)
    where !articles.contains(where: { one in one.sections.contains { "\(one.name)#\($0.title)" == excerpt } }) {
      throw ManualFailure(description: "a page has the section \(excerpt), which does not exist")
    }
    for section in article(ManualPage.client.articles[0])?.sections ?? [] {
      for command in section.commands where client.command(command) == nil {
        throw ManualFailure(description: "the heading \"\(section.title)\" names a command that regctl does not have")
      }
    }
  }

  private static func articles(in sources: String) throws -> [ArticleText] {
    var articles: [ArticleText] = []
    for floor in try FileSystem.names(in: sources) {
      for module in try FileSystem.names(in: "\(sources)/\(floor)") {
        let folder = "\(sources)/\(floor)/\(module)/\(module).docc"
        guard FileSystem.exists(folder) else { continue }
        for file in try FileSystem.names(in: folder) where file.hasSuffix(".md") {
          articles.append(ArticleText(name: String(file.dropLast(3)), try FileReading.text("\(folder)/\(file)")))
        }
      }
    }
    return articles
  }

  /// - Throws: If an article is missing in the list at the end of regd.md, because no reader would find it.
  private static func listed(_ articles: [ArticleText]) throws -> [(group: String, article: String)] {
    guard let root = articles.first(where: { $0.name == ManualPage.daemon.name }) else {
      throw ManualFailure(description: "there is no article regd.md, which lists the others")
    }
    let names = Set([root.name] + root.topics.map(\.article))
    if let missing = articles.first(where: { !names.contains($0.name) }) {
      throw ManualFailure(description: "the article \(missing.name).md is not in the list of regd.md")
    }
    return root.topics
  }
}
