internal import RegdClient

/// A command of a program, from the program's description of itself.
struct CommandRow {
  /// The names of the enclosing commands, then the command's own.
  let path: [String]
  let abstract: String
  let discussion: [String]
  let subcommands: [CommandRow]
  let ownOptions: [OptionRow]

  init(_ source: JSONValue, path parents: [String]) {
    let path = parents + [source["commandName"]?.string ?? "?"]
    self.path = path
    abstract = source["abstract"]?.string ?? ""
    discussion = Markdown.paragraphs(source["discussion"]?.string ?? "")
    subcommands = (source["subcommands"]?.array ?? [])
      // every program with ArgumentParser has this command
      .filter { $0["commandName"]?.string != "help" && $0["shouldDisplay"]?.bool != false }
      .map { CommandRow($0, path: path) }
    ownOptions = (source["arguments"]?.array ?? []).filter { $0["shouldDisplay"]?.bool != false }.map(OptionRow.init)
  }

  var name: String { path.last ?? "?" }
  /// The discussion without the exit statuses.
  var explanation: [String] { discussion.filter { !$0.hasPrefix(Self.exitStatusMark) } }
  /// The paragraphs of the discussion about the exit status.
  var exitStatus: [String] {
    discussion.filter { $0.hasPrefix(Self.exitStatusMark) }.map { String($0.dropFirst(Self.exitStatusMark.count)) }
  }
  private static let exitStatusMark = "Exit status: "

  /// The commands without subcommands.
  var leaves: [CommandRow] { subcommands.isEmpty ? [self] : subcommands.flatMap(\.leaves) }

  func synopsis(shared: [OptionRow]) -> String {
    let own = ownOptions.filter { !shared.contains($0) }
    let words = own.filter { !$0.isPositional }.map(\.usage) + own.filter(\.isPositional).map(\.usage)
    let rest = ownOptions.contains(where: { shared.contains($0) && $0.isOfCaller }) ? ["[*OPTION*]..."] : []
    return (["**\(path.joined(separator: " "))**"] + words + rest).joined(separator: " ")
  }

  func text(shared: [OptionRow]) -> String {
    let own = ownOptions.filter { !shared.contains($0) && !$0.text.isEmpty }
    let list = own.map { "- \($0.term): \($0.text)" }.joined(separator: "\n")
    return ([Markdown.plain(abstract)] + discussion + [list]).filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}

/// An option or an argument of a command.
struct OptionRow: Equatable {
  private let names: [String]
  private let value: String
  private let initial: String?
  private let abstract: String
  private let takesValue: Bool
  private let isOptional: Bool
  private let isRepeating: Bool

  init(_ source: JSONValue) {
    let kind = source["kind"]?.string
    names = (source["names"]?.array ?? []).map { name in
      (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "?")
    }
    value = (source["valueName"]?.string ?? "?").uppercased()
    initial = source["defaultValue"]?.string
    let values = (source["allValues"]?.array ?? []).compactMap(\.string)
    abstract =
      (source["abstract"]?.string ?? "") + (values.isEmpty ? "" : " (values: \(values.joined(separator: ", ")))")
    takesValue = kind != "flag"
    isOptional = source["isOptional"]?.bool ?? false
    isRepeating = source["isRepeating"]?.bool ?? false
  }

  var isPositional: Bool { names.isEmpty }
  /// Whether the program itself defines the option. ArgumentParser defines the others for every program.
  var isOfCaller: Bool { !names.contains("--help") && !names.contains("--version") }

  func isNamed(_ name: String) -> Bool { names.contains(name) }

  var term: String {
    let words = names.map { "**\($0)**" }.joined(separator: ", ")
    return isPositional ? "*\(value)*" : takesValue ? "\(words) *\(value)*" : words
  }

  var text: String {
    let sentence = Markdown.plain(abstract)
    guard let initial, takesValue, !initial.isEmpty else { return sentence }
    return "\(sentence) (default: `\(initial)`)"
  }

  var usage: String {
    let word = isPositional ? "*\(value)*" : takesValue ? "**\(names[0])** *\(value)*" : "**\(names[0])**"
    return (isOptional ? "[\(word)]" : word) + (isRepeating ? "..." : "")
  }
}
