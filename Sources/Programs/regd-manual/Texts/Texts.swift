internal import Linux
internal import RegdClient
internal import RegdProcesses

/// All sources of the pages.
struct Texts {
  private let articles: [ArticleText]
  private let places: [String: ManualPage]
  /// The articles' names, in the order of regd.md.
  private let order: [String]
  let keys: [KeySection]
  let daemon: CommandHelp
  let client: CommandHelp
  let version: String

  /// Asks the programs in this one's directory for their descriptions; starts and stops a regd for that.
  init(checkout: String) throws {
    articles = try Self.articles(in: "\(checkout)/Sources")
    places = try Self.places(articles)
    order = ["regd"] + articles.flatMap(\.topics).map(\.article)
    let configuration = "\(checkout)/Config/regd.yaml"
    keys = KeySection.all(in: try FileReading.text(configuration))
    let programs = ProgramDirectory.own
    daemon = try CommandHelp(program: "\(programs)/regd")
    client = try CommandHelp(program: "\(programs)/regctl")
    version = try MethodDocument(regd: "\(programs)/regd", configuration: configuration).version
  }

  func article(_ name: String) -> ArticleText? { articles.first { $0.name == name } }
  func page(of article: String) -> ManualPage? { places[article] }

  /// The page's articles in the order of regd.md.
  func articles(of page: ManualPage) -> [ArticleText] {
    order.compactMap { name in places[name] == page ? article(name) : nil }
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

  /// The page of each article, from the list at the end of regd.md.
  ///
  /// - Throws: If an article is missing in the list, because no reader would find it.
  private static func places(_ articles: [ArticleText]) throws -> [String: ManualPage] {
    guard let root = articles.first(where: { $0.name == "regd" }) else {
      throw ManualFailure(description: "there is no article regd.md, which lists the others")
    }
    var places = ["regd": ManualPage.daemon]
    var listed: Set = ["regd"]
    for (group, name) in root.topics {
      listed.insert(name)
      places[name] = ManualPage.page(of: name, in: group)
    }
    if let missing = articles.first(where: { !listed.contains($0.name) }) {
      throw ManualFailure(description: "the article \(missing.name).md is not in the list of regd.md")
    }
    return places
  }
}
