/// An answer of a server (RFC 5321 section 4.2), in one line or several.
struct Answer: Equatable {
  let code: Int
  let lines: [String]

  init(_ code: Int, _ lines: String...) { self.init(code, lines: lines) }

  init(_ code: Int, lines: [String]) {
    self.code = code
    self.lines = lines
  }

  /// Whether the server closes the connection afterwards: after 421, and after its answer to QUIT (RFC 5321 section
  /// 3.8).
  var isLast: Bool { code == 421 || code == 221 }

  var bytes: [UInt8] {
    let text = lines.enumerated().map { "\(code)\($0.offset < lines.count - 1 ? "-" : " ")\($0.element)\r\n" }
    return Array(text.joined().utf8)
  }
}
