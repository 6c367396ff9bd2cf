/// Quoted-printable (RFC 2045 section 6.7).
enum QuotedPrintable {
  /// - Parameter lines: Without their line ends.
  /// - Returns: The lines joined with "\n", or nil if a "=" precedes neither two hexadecimal digits nor a line's end.
  static func decoded(_ lines: some Sequence<ArraySlice<UInt8>>) -> [UInt8]? {
    var bytes: [UInt8] = []
    for line in lines {
      var rest = line
      var isSoft = false
      while let byte = rest.popFirst() {
        guard byte == 0x3D else {
          bytes.append(byte)
          continue
        }
        if rest.isEmpty {
          isSoft = true
        } else {
          guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else {
            return nil
          }
          bytes.append(value)
          rest = rest.dropFirst(2)
        }
      }
      if !isSoft { bytes.append(0x0A) }
    }
    if bytes.last == 0x0A { bytes.removeLast() }
    return bytes
  }
}
