import FullScreen
import Testing

@Suite("reading keys")
struct KeyReaderTests {
  private func keys(_ text: String) -> [Key] {
    var reader = KeyReader()
    return reader.read(text.utf8)
  }

  @Test(
    "the reader recognizes each key by the bytes that terminals send for it",
    arguments: [
      ("a", [.edit(.insert("a"))]), ("漢é", [.edit(.insert("漢é"))]), (" ", [.edit(.insert(" "))]),
      ("\u{8}", [.edit(.backspace)]), ("\u{7F}", [.edit(.backspace)]), ("\u{1B}[3~", [.edit(.delete)]),
      ("\u{15}", [.edit(.clear)]), ("\t", [.next]), ("\u{1B}[B", [.next]), ("\u{1B}OB", [.next]),
      ("\u{1B}[Z", [.previous]), ("\u{1B}[A", [.previous]), ("\u{1B}[1;5A", [.previous]), ("\r", [.enter]),
      ("\n", [.enter]), ("\u{1B}OM", [.enter]), ("\u{1B}[C", [.edit(.right)]), ("\u{1B}[D", [.edit(.left)]),
      ("\u{2}", [.edit(.left)]), ("\u{6}", [.edit(.right)]), ("\u{1B}[H", [.edit(.home)]),
      ("\u{1B}OF", [.edit(.end)]), ("\u{1B}[1~", [.edit(.home)]), ("\u{1B}[4~", [.edit(.end)]),
      ("\u{1}", [.edit(.home)]), ("\u{5}", [.edit(.end)]), ("\u{C}", [.redraw]), ("\u{3}", [.interrupt]),
      ("\u{1A}", [.suspend]),
      ("\u{1B}\u{1B}", [.leave]), ("\u{4}", []), ("\u{1B}[5~", []), ("\u{1B}[24~", []),
      ("\u{1B}x", []), ("ab\rc", [.edit(.insert("ab")), .enter, .edit(.insert("c"))]),
    ] as [(String, [Key])])
  func table(_ text: String, _ expected: [Key]) { #expect(keys(text) == expected) }

  @Test("the Escape key leaves only if nothing follows it")
  func escape() {
    var reader = KeyReader()
    #expect(reader.endSequence() == [])
    #expect(reader.read("\u{1B}".utf8) == [])
    #expect(reader.isInsideSequence)
    #expect(reader.read("[A".utf8) == [.previous])
    #expect(!reader.isInsideSequence)
    _ = reader.read("\u{1B}".utf8)
    #expect(reader.endSequence() == [.leave])
    #expect(reader.read("[".utf8) == [.edit(.insert("["))])
    _ = reader.read("\u{1B}[".utf8)
    #expect(reader.endSequence() == [])
    #expect(reader.read("A".utf8) == [.edit(.insert("A"))])
  }

  @Test("the same bytes are the same keys, however reads split them")
  func pieces() {
    let text = "é漢🙂\u{1B}[Zx\u{1B}[3~\u{1B}[200~p\u{1B}é\u{1B}[201~\r\u{1B}OA"
    let bytes = Array(text.utf8)
    let whole = joined(keys(text))
    #expect(
      whole == [
        .edit(.insert("é漢🙂")), .previous, .edit(.insert("x")), .edit(.delete), .edit(.insert("pé")), .enter, .previous,
      ])
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var reader = KeyReader()
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].flatMap { reader.read($0) }
        #expect(joined(pieces) == whole, "\(first) \(second)")
      }
    }
  }

  /// The keys, with neighbouring insertions joined.
  private func joined(_ keys: [Key]) -> [Key] {
    keys.reduce(into: []) { joined, key in
      if case .edit(.insert(let more)) = key, case .edit(.insert(let text))? = joined.last {
        joined[joined.count - 1] = .edit(.insert(text + more))
      } else {
        joined.append(key)
      }
    }
  }

  @Test("control characters in pasted text press no key, and a key after the paste works again")
  func paste() {
    #expect(
      joined(keys("\u{1B}[200~a fine\r\n phrase\t\u{3}\n\u{1B}[201~\r")) == [.edit(.insert("a fine phrase")), .enter])
  }

  @Test("bytes that are not a character are reported as unreadable, and the next key is still read")
  func unreadable() {
    for bytes in [[0x61, 0xFF], [0xC3, 0x28], [0xC3, 0x0D], [0xC2, 0x9B], [0xC0, 0x80], [0xED, 0xA0, 0x80]] {
      var reader = KeyReader()
      let keys = reader.read(bytes.map { UInt8($0) } + [UInt8(ascii: "\t")])
      #expect(keys.first == .unreadable, "\(bytes): \(keys)")
      #expect(keys.last == .next)
    }
  }

  @Test("an escape sequence without an end does not swallow all later keys")
  func endless() {
    var reader = KeyReader()
    _ = reader.read("\u{1B}[".utf8)
    for _ in 0..<100 { _ = reader.read("1".utf8) }
    #expect(joined(reader.read("a".utf8)).last == .edit(.insert("a")) || !reader.isInsideSequence)
    #expect(reader.read("\t".utf8) == [.next])
  }
}
