/// Bytes of a request's head, with their indices in it.
typealias Octets = Slice<UnsafeRawBufferPointer>

/// The character classes of HTTP (RFC 9110 §5.6).
enum HTTPSyntax {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let comma = UInt8(ascii: ",")
  private static let tab = UInt8(ascii: "\t")
  private static let delete: UInt8 = 0x7F

  /// Whether a line may contain the byte. The tab is the only control character allowed, because programs read a
  /// carriage return or a NUL differently.
  static func isOfText(_ byte: UInt8) -> Bool { byte >= space && byte != delete || byte == tab }

  /// Whether a request's target may contain the byte. Bytes beyond ASCII are allowed, because some clients send them
  /// and regd ignores the target.
  static func isOfTarget(_ byte: UInt8) -> Bool { byte > space && byte != delete }

  static func isToken(_ bytes: Octets) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isOfToken) }

  /// The text in UTF-8, with `%` and two hexadecimal digits in place of each byte that is not an unreserved character (RFC 3986
  /// §2.3).
  static func percentEncoded(_ text: String) -> String {
    text.utf8.map { (byte) -> String in
      if isAlphanumeric(byte) || "-._~".utf8.contains(byte) { return String(Unicode.Scalar(byte)) }
      return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Whether the bytes are a host, perhaps with a port (RFC 3986 §3.2.2), or empty, as for a target without a host.
  static func isHost(_ bytes: Octets) -> Bool {
    bytes.allSatisfy { isAlphanumeric($0) || "-._~!$&'()*+,;=%[]:".utf8.contains($0) }
  }

  static func trimmed(_ bytes: Octets) -> Octets {
    var bytes = bytes.drop { $0 == space || $0 == tab }
    while let last = bytes.last, last == space || last == tab { bytes.removeLast() }
    return bytes
  }

  /// Compares without regard to case. `name` must be in lower case.
  static func isSame(_ bytes: Octets, _ name: String) -> Bool {
    bytes.count == name.utf8.count && zip(bytes, name.utf8).allSatisfy { small($0) == $1 }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
