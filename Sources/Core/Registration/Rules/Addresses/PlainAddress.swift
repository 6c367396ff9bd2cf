/// The grammar of addresses for the hot path: only ASCII, and no A-labels. Allocates nothing.
enum PlainAddress {
  /// - Returns: The index of the @ if the text certainly is an address, whose key is then its text in lower case. Nil
  ///   proves nothing.
  static func at(in typed: UnsafeRawBufferPointer) -> Int? {
    var at = 0
    var isAfterDot = true
    while at < typed.count, typed[at] != UInt8(ascii: "@") {
      let byte = typed[at]
      if byte == UInt8(ascii: ".") {
        if isAfterDot { return nil }
        isAfterDot = true
      } else {
        guard ASCII.isText(byte) else { return nil }
        isAfterDot = false
      }
      at &+= 1
    }
    guard !isAfterDot, (1...EmailRules.maximumLocalLength).contains(at) else { return nil }
    return isDomain(typed, from: at &+ 1) ? at : nil
  }

  /// Whether the text is two or more labels of letters, digits and hyphens, the last one with a letter or hyphen, and none an
  /// A-label.
  private static func isDomain(_ typed: UnsafeRawBufferPointer, from start: Int) -> Bool {
    let count = typed.count
    guard count &- start <= 253 else { return false }
    var label = start
    var labels = 1
    var hasLetter = false
    var position = start
    while position < count {
      let byte = typed[position]
      // an ASCII letter in either case
      if (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-") {
        hasLetter = true
      } else if byte == UInt8(ascii: ".") {
        guard isLabel(typed, label, position) else { return false }
        labels &+= 1
        hasLetter = false
        label = position &+ 1
      } else if byte &- UInt8(ascii: "0") >= 10 {
        return false
      }
      position &+= 1
    }
    return labels >= 2 && hasLetter && isLabel(typed, label, count)
  }

  /// Whether a part of the text, already known to be letters, digits and hyphens, is a label but not an A-label.
  @inline(__always)
  private static func isLabel(_ typed: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
    let length = end &- start
    return (1...63).contains(length) && typed[start] != UInt8(ascii: "-") && typed[end &- 1] != UInt8(ascii: "-")
      && (length < 4 || typed[start &+ 2] != UInt8(ascii: "-") || typed[start &+ 3] != UInt8(ascii: "-"))
  }
}
