/// Reads a list of domains from the bytes of a text in UTF-8: one domain per line, in U-labels or A-labels and any case. It
/// ignores white space around a domain, a BOM at the beginning of the text, blank lines and lines that begin with `#`.
///
/// Takes little memory in addition to the list, however long the lines are.
package struct DomainListReader: ~Copyable {
  /// A line that is neither blank, nor a comment, nor a domain.
  package struct Problem: Equatable, Sendable {
    /// The number of the line, from 1.
    package let line: Int
    /// The line's text, cut off if it is long, or nil if it is not UTF-8.
    package let text: String?
  }

  package private(set) var problems: [Problem] = []
  private let normalizer: any TextNormalizer
  private var draft = DomainList.Draft()
  private var line = 1
  /// The beginning of a line whose end has not arrived yet, without leading white space.
  private var held: [UInt8] = []
  /// Whether the line is longer than `held`, which has room for `longestLine` bytes. White space at the line's end does
  /// not count.
  private var isCut = false

  /// The longest line that the reader takes for a domain, in bytes.
  private static let longestLine = 4096

  package init(normalizer: any TextNormalizer) { self.normalizer = normalizer }

  /// Takes the next bytes of the text.
  package mutating func take(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if held.isEmpty { read(rest[..<end]) } else { endLine(rest[..<end]) }
      line += 1
      rest = rest[(end + 1)...]
    }
    hold(rest)
  }

  /// - Returns: The list of all lines without a problem, and the problems.
  package consuming func finish() -> (list: DomainList, problems: [Problem]) {
    if !held.isEmpty { endLine(UnsafeRawBufferPointer(start: nil, count: 0)[...]) }
    return (DomainList(&draft), problems)
  }

  private mutating func hold(_ part: Slice<UnsafeRawBufferPointer>) {
    let part = held.isEmpty ? part.drop(while: Self.isSpace) : part
    let room = Self.longestLine - held.count
    held += part.prefix(room)
    isCut = isCut || !part.dropFirst(room).allSatisfy(Self.isSpace)
  }

  private mutating func endLine(_ part: Slice<UnsafeRawBufferPointer>) {
    hold(part)
    let text = held
    text.withUnsafeBytes { read($0[...]) }
    held.removeAll()
    isCut = false
  }

  private mutating func read(_ line: Slice<UnsafeRawBufferPointer>) {
    let hasMark = self.line == 1 && line.starts(with: [0xEF, 0xBB, 0xBF])
    var text = line.dropFirst(hasMark ? 3 : 0).drop(while: Self.isSpace)
    while let last = text.last, Self.isSpace(last) { text.removeLast() }
    guard let first = text.first, first != UInt8(ascii: "#") else { return }
    if isCut || !addPlain(UnsafeRawBufferPointer(rebasing: text)) { readAny(text) }
  }

  /// Adds an ASCII domain without A-labels, as most are. Returns false for any other text.
  private mutating func addPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count <= DomainName.longest else { return false }
    return withUnsafeTemporaryAllocation(byteCount: text.count, alignment: 1) { lowered in
      for (place, byte) in text.enumerated() { lowered[place] = ASCII.lowercased(byte) }
      let domain = UnsafeRawBufferPointer(lowered)
      guard DomainName.isValid(domain), !DomainName.hasALabel(domain) else { return false }
      draft.add(domain)
      return true
    }
  }

  private mutating func readAny(_ bytes: Slice<UnsafeRawBufferPointer>) {
    // the end of the held bytes may be within a character
    guard let text = isCut ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self) else {
      return problems.append(.init(line: line, text: nil))
    }
    let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
    let end = scalars.lastIndex { !$0.properties.isWhitespace }.map { scalars.index(after: $0) } ?? scalars.startIndex
    let domain = String(scalars[..<end])
    if domain.isEmpty || domain.hasPrefix("#") { return }
    guard !isCut, var ascii = DomainName.ascii(domain, normalizer) else {
      return problems.append(.init(line: line, text: String(domain.prefix(Self.longestShown))))
    }
    ascii.withUTF8 { draft.add(UnsafeRawBufferPointer($0)) }
  }

  /// The most characters of a line that a problem shows.
  private static let longestShown = 100

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
