internal import RegdClient

/// JSON for readers: in lines of at most 72 characters, if its strings allow that, because a line of a man page has no
/// more.
enum WrappedJSON {
  private static let width = 72

  /// - Parameters:
  ///   - text: Compact JSON. It is broken only after commas between its values.
  ///   - mark: The text before the first line. The other lines are indented.
  static func lines(of text: String, after mark: String) -> String {
    let indent = String(repeating: " ", count: mark.count + 2)
    var lines = [mark]
    for piece in pieces(of: text) {
      if lines[lines.count - 1].count + piece.count > width, lines[lines.count - 1].count > indent.count {
        lines.append(indent)
      }
      lines[lines.count - 1] += piece
    }
    return lines.joined(separator: "\n")
  }

  /// The members of an object, with dots in place of the objects and arrays in it.
  static func outline(of value: JSONValue) -> String {
    guard case .object(let members) = value else { return value.text }
    let outlines = members.map { member in
      let name = JSONValue.string(member.name).text
      switch member.value {
      case .object: return "\(name):{…}"
      case .array: return "\(name):[…]"
      case .null, .bool, .number, .string: return "\(name):\(member.value.text)"
      }
    }
    return "{\(outlines.joined(separator: ","))}"
  }

  /// The parts of the text. Each but the last ends with a comma that is not in a string.
  private static func pieces(of text: String) -> [String] {
    var pieces = [""]
    var isString = false
    var isEscape = false
    for character in text {
      pieces[pieces.count - 1].append(character)
      switch character {
      case "\"" where !isEscape: isString.toggle()
      case "," where !isString: pieces.append("")
      default: break
      }
      isEscape = character == "\\" && !isEscape
    }
    return pieces
  }
}
