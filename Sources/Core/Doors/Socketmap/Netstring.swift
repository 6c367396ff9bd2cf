/// A length in decimal digits, a colon, as many bytes, and a comma (D. J. Bernstein, "Netstrings", 1997).
enum Netstring {
  /// The result of reading at the beginning of some bytes.
  enum Reading {
    case unfinished
    /// - Parameter count: The bytes of the netstring, from the length to the comma.
    case whole(Slice<UnsafeRawBufferPointer>, count: Int)
    case impossible
  }

  /// - Parameter longest: The most bytes between colon and comma.
  static func read(_ bytes: UnsafeRawBufferPointer, longest: Int) -> Reading {
    var (length, index) = (0, 0)
    while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
      let digit = Int(bytes[index]) - Int(UInt8(ascii: "0"))
      // a length has no leading zero
      guard (0...9).contains(digit), index == 0 || length > 0 else { return .impossible }
      length = length * 10 + digit
      guard length <= longest else { return .impossible }
      index += 1
    }
    guard index < bytes.count else { return .unfinished }
    guard index > 0 else { return .impossible }
    let end = index + 1 + length
    guard end < bytes.count else { return .unfinished }
    guard bytes[end] == UInt8(ascii: ",") else { return .impossible }
    return .whole(bytes[(index + 1)..<end], count: end + 1)
  }

  static func of(_ text: String) -> [UInt8] { Array("\(text.utf8.count):\(text),".utf8) }
}
