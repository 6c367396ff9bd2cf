// Tests may link Foundation, and use it to read files. No program of regd links it.
internal import FoundationEssentials

/// An article of the documentation (`*.docc/*.md`), as far as tests compare it with the code.
package struct Article: Sendable {
  /// The file's name without `.md`.
  package let name: String
  /// The file's path in the checkout.
  package let path: String
  package let text: String

  /// A table: its column heads and its rows, cell by cell.
  package struct Table: Sendable {
    package let columns: [String]
    package let rows: [[String]]
  }

  /// All articles of the repository, and the README.
  package static let all: [Article] = {
    let sources = "\(Places.root)/Sources"
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: sources)) ?? []
    let articles = paths.filter { $0.hasSuffix(".md") && $0.contains(".docc/") }.map { "\(sources)/\($0)" }
    return (articles + ["\(Places.root)/README.md"]).compactMap { Article(path: $0) }
  }()

  private init?(path: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let file = path.split(separator: "/").last
    else { return nil }
    name = String(file.dropLast(3))
    self.path = String(path.dropFirst(Places.root.count + 1))
    self.text = text
  }

  package static func named(_ name: String) -> Article? { all.first { $0.name == name } }

  /// Whether there is a file or folder at this path of the checkout.
  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(Places.root)/\(path)")
  }

  /// The names in a folder of the checkout.
  package static func names(in path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(Places.root)/\(path)")) ?? []
  }

  package static func file(_ path: String) -> String? {
    try? String(contentsOfFile: "\(Places.root)/\(path)", encoding: .utf8)
  }

  /// All tables, in their order.
  package var tables: [Table] {
    var tables: [Table] = []
    var rows: [[String]] = []
    let lines = (text + "\n").split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines {
      if line.hasPrefix("|") {
        rows.append(Self.cells(line))
      } else if rows.count > 1 {
        tables.append(Table(columns: rows[0], rows: Array(rows.dropFirst(2))))
        rows = []
      }
    }
    return tables
  }

  /// The rows of all tables whose first columns have these heads.
  package func rows(_ columns: String...) -> [[String]] {
    tables.filter { $0.columns.starts(with: columns) }.flatMap(\.rows)
  }

  private static func cells(_ line: Substring) -> [String] {
    line.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { trimmed($0.replacing("\u{0}", with: "|")) }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// All code blocks of a language, unchanged.
  package func blocks(_ language: String) -> [String] {
    var blocks: [String] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "```\(language)\n"),
      let end = rest[start.upperBound...].firstRange(of: "\n```")
    {
      blocks.append(String(rest[start.upperBound..<end.lowerBound]) + "\n")
      rest = rest[end.upperBound...]
    }
    return blocks
  }

  /// Everything in backquotes, except in code blocks.
  package var codes: [String] { Self.codes(in: text.replacing(/```[^`]*```/, with: "")) }

  package static func codes(in text: some StringProtocol) -> [String] {
    String(text).split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
  }
}
