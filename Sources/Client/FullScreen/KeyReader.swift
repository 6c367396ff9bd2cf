/// Reads keys from the bytes that a terminal sends (ECMA-48, and xterm's keys and bracketed paste).
package struct KeyReader {
  /// Bytes that were read and may begin a key.
  private var pending: [UInt8] = []
  /// Whether a bracketed paste is in progress. A line feed in it does not count as Enter.
  private var isPasting = false

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// The most bytes of a sequence that is read as a key.
  private static let longestSequence = 32

  package init() {}

  /// Whether more bytes may belong to the key that has begun. The Escape key sends only the byte with which other keys'
  /// sequences begin, so only a pause shows that the key was Escape.
  package var isInsideSequence: Bool { pending.first == Self.escape && !isPasting }

  /// Ends a begun sequence, after the caller has waited in vain for more bytes. A lone Escape is the key `leave`. The
  /// beginning of a longer sequence is dropped.
  package mutating func endSequence() -> [Key] {
    guard isInsideSequence else { return [] }
    defer { pending = [] }
    return pending.count == 1 ? [.leave] : []
  }

  package mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    var rest = pending[...]
    while let first = rest.first {
      let before = rest.count
      if first == Self.escape {
        readSequence(&rest, &keys)
      } else if Self.isControl(first) {
        rest.removeFirst()
        if !isPasting, let key = Self.control(first) { keys.append(key) }
      } else {
        Self.readText(&rest, &keys)
      }
      if rest.count == before { break }
    }
    let left = Array(rest)
    for index in pending.indices { pending[index] = 0 }
    pending = left
    return keys
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  private static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x01: .edit(.home)  // Control-A
    case 0x02: .edit(.left)  // Control-B
    case 0x03: .interrupt  // Control-C
    case 0x1A: .suspend  // Control-Z
    case 0x05: .edit(.end)  // Control-E
    case 0x06: .edit(.right)  // Control-F
    case 0x08, 0x7F: .edit(.backspace)
    case 0x09: .next
    case 0x0A, 0x0D: .enter
    case 0x0C: .redraw  // Control-L
    case 0x15: .edit(.clear)  // Control-U
    default: nil
    }
  }

  /// Takes all complete characters from the front of `rest`.
  private static func readText(_ rest: inout ArraySlice<UInt8>, _ keys: inout [Key]) {
    var text = rest.prefix { !isControl($0) }
    if text.endIndex == rest.endIndex { text.removeLast(lengthOfBegun(text)) }
    guard !text.isEmpty else { return }
    rest = rest[text.endIndex...]
    // also refuses the control characters of ISO 8859-1, because terminals interpret some of them
    guard let characters = String(validating: text, as: UTF8.self),
      !characters.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) })
    else { return keys.append(.unreadable) }
    keys.append(.edit(.insert(characters)))
  }

  /// The number of bytes at the end that begin an incomplete UTF-8 character.
  private static func lengthOfBegun(_ text: ArraySlice<UInt8>) -> Int {
    let tail = text.suffix(3)
    guard let lead = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let length =
      switch tail[lead] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    return tail.endIndex - lead < length ? tail.endIndex - lead : 0
  }

  /// Takes one escape sequence from the front of `rest`, if it is complete.
  private mutating func readSequence(_ rest: inout ArraySlice<UInt8>, _ keys: inout [Key]) {
    guard !isPasting else { return readPasteEnd(&rest) }
    let parts = rest.dropFirst()
    switch parts.first {
    case nil: return
    case Self.escape:  // the key, twice
      rest = parts
      keys.append(.leave)
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      guard let end = parts.dropFirst().firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        if rest.count > Self.longestSequence { rest = [] }
        return
      }
      let parameters = parts[(parts.startIndex + 1)..<end]
      if let key = press(parts[end], parameters) { keys.append(key) }
      rest = parts[(end + 1)...]
    default: rest = parts.dropFirst()  // a key together with Alt
    }
  }

  /// The key of a sequence: determined by the last byte or, if that is a tilde, by the sequence's number.
  private mutating func press(_ final: UInt8, _ parameters: ArraySlice<UInt8>) -> Key? {
    switch final {
    case UInt8(ascii: "A"), UInt8(ascii: "Z"): return .previous  // up, Shift-Tab
    case UInt8(ascii: "B"): return .next  // down
    case UInt8(ascii: "C"): return .edit(.right)
    case UInt8(ascii: "D"): return .edit(.left)
    case UInt8(ascii: "F"): return .edit(.end)
    case UInt8(ascii: "H"): return .edit(.home)
    case UInt8(ascii: "M"): return .enter  // of the number pad, in its application mode
    case UInt8(ascii: "~"): break
    default: return nil
    }
    switch String(decoding: parameters, as: UTF8.self) {
    case "1", "7": return .edit(.home)
    case "3": return .edit(.delete)
    case "4", "8": return .edit(.end)
    case "200": isPasting = true
    default: break
    }
    return nil
  }

  /// Skips escape sequences in a paste, up to the one that ends it.
  private mutating func readPasteEnd(_ rest: inout ArraySlice<UInt8>) {
    if rest.starts(with: Self.pasteEnd) {
      rest.removeFirst(Self.pasteEnd.count)
      isPasting = false
    } else if !Self.pasteEnd.starts(with: rest) {
      rest.removeFirst()
    }
  }
}

/// The keys that screens use.
package enum Key: Equatable, Sendable {
  /// Changes the text field with the focus.
  package enum Edit: Equatable, Sendable {
    case insert(String)
    case backspace, delete, clear
    case left, right, home, end
  }

  case edit(Edit)
  case next, previous
  case enter
  case redraw
  case leave
  case suspend
  case interrupt
  /// Bytes that are neither a character nor a known key.
  case unreadable
}
