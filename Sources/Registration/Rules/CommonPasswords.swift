/// The passwords that are tried first: the most frequent of published leaks, folded, compiled in (see `list`).
enum CommonPasswords {
  /// Whether the folded password is one of them. A binary search in the program's own read-only pages.
  static func contains(_ folded: [UInt8]) -> Bool {
    let words = UnsafeBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
    var low = 0
    var high = words.count
    while low < high {
      // the word around the middle; words are separated by one white space character each
      var start = (low + high) / 2
      while start > low, !isSeparator(words[start - 1]) { start -= 1 }
      var end = start
      while end < high, !isSeparator(words[end]) { end += 1 }
      let word = words[start..<end]
      if word.elementsEqual(folded) { return true }
      if word.lexicographicallyPrecedes(folded) { low = end + 1 } else { high = start }
    }
    return false
  }

  static var all: [Substring] { "\(list)".split { $0.isWhitespace } }

  private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
}
