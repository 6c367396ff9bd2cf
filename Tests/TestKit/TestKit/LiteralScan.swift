internal import RegdProcesses

/// Finds messages in the source that do not come from the catalogue.
package enum LiteralScan {
  /// A literal that looks like a message.
  package struct Found: CustomStringConvertible, Sendable {
    package let path: String
    package let line: Int
    package let literal: String

    package var description: String { "\(path):\(line): \(literal)" }
  }

  /// Finds string literals with two words in sequence, the second in lower case. Messages contain such words. Names,
  /// keys and commands of one word do not.
  ///
  /// - Parameter folder: The path in the checkout, for example `Sources/Client`.
  package static func sentences(in folder: String) throws -> [Found] {
    let (_, listed) = try TemporaryDirectory.with { directory in
      try RegdProcess.run(
        program: "/usr/bin/find", arguments: ["\(Places.root)/\(folder)", "-name", "*.swift"], directory: directory)
    }
    return listed.split(separator: "\n").sorted().flatMap { path in
      sentences(ofSource: TextFile.read(String(path)) ?? "", String(path.dropFirst(Places.root.count + 1)))
    }
  }

  package static func sentences(ofSource source: String, _ path: String) -> [Found] {
    var found: [Found] = []
    var isInText = false
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("//") { continue }
      let quotes = line.ranges(of: "\"\"\"").count
      if isInText, quotes == 0, isSentence(String(text)) {
        found.append(Found(path: path, line: index + 1, literal: String(text)))
      }
      if quotes % 2 == 1 { isInText.toggle() }
      guard !isInText, quotes == 0 else { continue }
      for literal in literals(of: String(line)) where isSentence(literal) {
        found.append(Found(path: path, line: index + 1, literal: literal))
      }
    }
    return found
  }

  /// The literals of a line without their interpolations.
  private static func literals(of line: String) -> [String] {
    var literals: [String] = []
    var text: String?
    var depth = 0
    var characters = line[...]
    while let character = characters.popFirst() {
      switch (text, character) {
      case (nil, "\""): text = ""
      case (nil, "/") where characters.first == "/": return literals
      case (nil, _): break
      case (_?, "\\") where depth == 0:
        if characters.popFirst() == "(" {
          depth = 1
          text?.append("…")
        }
      case (_?, "(") where depth > 0: depth += 1
      case (_?, ")") where depth > 0: depth -= 1
      case (let whole?, "\"") where depth == 0:
        literals.append(whole)
        text = nil
      case (_?, _): if depth == 0 { text?.append(character) }
      }
    }
    return literals
  }

  /// Whether the text is a command as it is typed, which no language changes.
  private static func isCommand(_ text: String) -> Bool {
    text.prefixMatch(
      of: /(sudo |regctl |systemctl |journalctl |timedatectl|man |mv |nc |getent |editor |findmnt |regd )/) != nil
  }

  private static func isSentence(_ text: String) -> Bool {
    if isCommand(text) { return false }
    return text.contains(/[A-Za-z']{2,}[,;:]? [a-z]{2,}/) || text.contains(/… [a-z]{2,} [a-z…]/)
  }
}
