/// Makes a client from the file of `ClientFiles` in its language.
///
/// Two comments mark each region of the file that depends on the methods: `# regd: begin NAME` and `# regd: end`, or the
/// same with `//`. The lines between them are sample code.
enum Template {
  private enum Mark {
    case begin(String)
    case end
  }

  /// Replaces each region and its two marks with the part of that name, and `@@VERSION@@` with the version. The first
  /// mark of a region without a part remains, so that tests find it.
  static func filled(_ file: String, version: String, _ parts: [String: String]) -> String {
    var lines: [String] = []
    var isInRegion = false
    for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
      switch mark(line) {
      case .begin(let name):
        lines.append(parts[name] ?? String(line))
        isInRegion = true
      case .end: isInRegion = false
      case nil: if !isInRegion { lines.append(String(line).replacing("@@VERSION@@", with: version)) }
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func mark(_ line: Substring) -> Mark? {
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count > 2, words[0] == "#" || words[0] == "//", words[1] == "regd:" else { return nil }
    if words.count == 4, words[2] == "begin" { return .begin(String(words[3])) }
    return words.count == 3 && words[2] == "end" ? .end : nil
  }
}
