internal import Linux
internal import RegdProcesses

/// Converts Markdown to roff with lowdown(1).
enum Roff {
  /// - Throws: If lowdown cannot be run, or refuses the text.
  static func text(of markdown: String, _ page: ManualPage, version: String) throws -> String {
    let run = try TemporaryDirectory.with { directory in
      let file = "\(directory)/page.md"
      try FileWriting.write(markdown, to: file)
      return try RegdProcess.run(
        program: "lowdown",
        arguments: [
          "-s", "-tman", "--out-no-smarty", "--parse-no-metadata", "--parse-no-tables", "--parse-no-super",
          "--parse-no-strike", "--parse-no-ext-attrs", "--parse-no-autolink", "-m",
          "title=\(page.name)", "-m", "section=\(page.section)", "-m", "source=regd \(version)", "-m",
          "volume=The registration daemon", file,
        ], directory: directory)
    }
    guard run.status == 0 else { throw ManualFailure(description: "lowdown: \(run.output)") }
    return finished(run.output)
  }

  /// Completes lowdown's output. Makes code bold as in other pages, because a terminal has no font for it, with ASCII hyphens
  /// that can be copied. Turns hyphenation and justification off. Sets terms and items with macros instead of negative spacing,
  /// which fails at a page's end. Removes paragraph macros that have no effect.
  static func finished(_ roff: String) -> String {
    let text =
      roff
      .replacing(/\.LP\n(.+)\n\.if n \\\n\.sp -1v\n\.if t \\\n\.sp -0\.25v\n\.IP "" 5n\n/) { ".TP 5\n\($0.output.1)\n" }
      .replacing(/\.if n \\\n\.sp -1\n\.if t \\\n\.sp -0\.25v\n(\.IP .+)\n/) { ".PD 0\n\($0.output.1)\n.PD\n" }
      .replacing(/\.IP "(\d+\.) +"/) { ".IP \"\($0.output.1)\" 4" }
      .replacing(/(\.S[HS]\n.+\n)\.[LP]P\n/) { $0.output.1 }
      .replacing(/\.TH .+\n/) { "\($0.output).nr HY 0\n.nh\n.ad l\n" }
    var isExample = false
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == ".EX" { isExample = true }
      if line == ".EE" { isExample = false }
      if isExample, !line.hasPrefix(".") {
        lines += example(line)
      } else {
        // code that continues on the next line has no end on this one
        let text = line.replacing(code) { "\\fB\(literal($0.output.1))\\fR" }
        lines.append(String(text.replacing("\\fC", with: "\\fB")))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Moves a comment that does not fit on its line to the line above.
  private static func example(_ line: Substring) -> [String] {
    guard line.count > 73, let parts = line.wholeMatch(of: /(\S.*?) +(# .+)/) else { return [literal(line)] }
    return [literal(parts.output.2), literal(parts.output.1)]
  }

  private static var code: Regex<(Substring, Substring)> { /\\f[CB](.*?)\\fR/ }

  private static func literal(_ text: Substring) -> String { String(text.replacing("-", with: "\\-")) }
}
