internal import CYAML

/// Why libyaml stopped, in words for the file's author: the mistake, and a correct form.
///
/// libyaml's own messages describe a parser's state ("found character that cannot start any token"). The position that
/// libyaml reports is kept if the mistake is there. For an unclosed quote or brace, the position of the opening one is
/// reported.
struct YAMLProblem {
  private let problem: String
  private let context: String
  /// Line of the problem, counted from 0, and its column.
  private let place: (line: Int, column: Int)
  private let contextPlace: (line: Int, column: Int)
  /// The position where the innermost open mapping or list begins.
  private let opening: (line: Int, column: Int)?
  private let isOfReader: Bool
  private let offset: Int
  private let bytes: UnsafeBufferPointer<UInt8>

  init(_ parser: yaml_parser_t, _ bytes: UnsafeBufferPointer<UInt8>) {
    problem = parser.problem.map { String(cString: $0) } ?? ""
    context = parser.context.map { String(cString: $0) } ?? ""
    place = (Int(parser.problem_mark.line), Int(parser.problem_mark.column))
    contextPlace = (Int(parser.context_mark.line), Int(parser.context_mark.column))
    if let top = parser.marks.top, let bottom = parser.marks.start, bottom < top {
      opening = (Int(top[-1].line), Int(top[-1].column))
    } else {
      opening = nil
    }
    isOfReader = parser.error == YAML_READER_ERROR
    offset = Int(parser.problem_offset)
    self.bytes = bytes
  }

  var error: ConfigurationFile.SyntaxError {
    if isOfReader {
      // libyaml reports a byte offset here, and no line
      let line = bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
      let isControl = problem.hasPrefix("control")
      return .init(
        message: isControl
          ? "there is a control character here; remove it" : "this is not UTF-8; save the file as UTF-8",
        line: line)
    }
    let (message, line) = said
    return .init(message: message, line: line + 1)
  }

  private var said: (message: String, line: Int) {
    switch problem {
    case "found character that cannot start any token": (start, place.line)
    case _ where problem.contains("tab character"): (Self.tab, place.line)
    case "found unexpected end of stream", "found unexpected document indicator":
      ("the quote that opens here is not closed; close it, or remove it", contextPlace.line)
    case "found unknown escape character", "did not find expected hexdecimal number":
      ("in double quotes \\ begins an escape, but this is not one: write \\\\, or use single quotes", place.line)
    case "mapping values are not allowed in this context": (colon, place.line)
    case "could not find expected ':'": ("a colon and a space are missing after the key", contextPlace.line)
    case "did not find expected key": key
    case "did not find expected ',' or '}'": (Self.brace, contextPlace.line)
    case "did not find expected ',' or ']'": (Self.bracket, contextPlace.line)
    case "did not find expected '-' indicator":
      ("this continues a list: begin each item with -, or indent a key less", place.line)
    case "did not find expected comment or line break":
      ("nothing may follow | or >; the text begins in the next line", place.line)
    case "did not find expected node content" where character == nil && context == "while parsing a flow node":
      unclosed
    case "did not find expected node content": ("a value is missing before this, or needs quotes", place.line)
    case _ where context == "while scanning a directive":
      ("a line cannot begin with %; write the key in quotes", place.line)
    default: ("this is not valid YAML (\(problem.isEmpty ? "libyaml gives no reason" : problem))", place.line)
    }
  }

  private static let tab = "there is a tab here; indent with spaces, and write a tab in a value as \"\\t\" in quotes"

  private static let brace = "the { here is not closed by a }, or a comma is missing"
  private static let bracket = "the [ here is not closed by a ], or a comma is missing"

  /// The message for a file that ends where a value in braces or brackets could follow.
  private var unclosed: (message: String, line: Int) {
    guard let opening else { return ("a value is missing at the end of the file", place.line) }
    return (character(at: opening) == "{" ? Self.brace : Self.bracket, opening.line)
  }

  /// The message for a character with which no value or key can begin.
  private var start: String {
    switch character {
    case "\t": Self.tab
    case let character?: "a value cannot begin with \(character); write it in quotes, as in \"\(character)…\""
    case nil: "this cannot begin a value; write it in quotes"
    }
  }

  private var colon: String {
    let isValue = text(of: place.line).prefix(place.column).contains(": ")
    return isValue
      ? "this line has a second colon; write a value that contains a colon and a space in quotes"
      : "the previous line is incomplete: it lacks a colon, or is indented less than this one"
  }

  /// The message for a place where a key of the current section or of an enclosing one should begin.
  private var key: (message: String, line: Int) {
    let before = text(of: place.line).prefix(place.column)
    switch character {
    case "}", "]": return ("\(character ?? "}") closes nothing here; remove it, or open it before", place.line)
    case ":" where before.allSatisfy({ $0 == " " }): return ("a key is missing before the colon", place.line)
    case _ where before.allSatisfy({ $0 == " " }):
      return (
        "the indentation of this line differs: align the keys of a section (its first key is in line \(contextPlace.line + 1))",
        place.line
      )
    default:
      return ("the value ends before this; put all of it in quotes, or a # before a comment", place.line)
    }
  }

  /// The character at which libyaml stopped.
  private var character: Character? { character(at: place) }

  private func character(at place: (line: Int, column: Int)) -> Character? {
    let line = text(of: place.line)
    return line.unicodeScalars.dropFirst(place.column).first.map(Character.init)
  }

  private func text(of line: Int) -> String {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: line + 1, omittingEmptySubsequences: false)
    return line < lines.count ? String(decoding: lines[line], as: UTF8.self) : ""
  }
}
