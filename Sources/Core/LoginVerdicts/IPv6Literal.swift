/// Reads IPv6 addresses as text (RFC 4291 §2.2), as inet_pton(3) does, without the C library.
enum IPv6Literal {
  private static let colon = UInt8(ascii: ":")

  /// The eight groups of 16 bits, or nil if the text is not an IPv6 address.
  static func groups(of text: some Collection<UInt8>) -> [UInt16]? {
    var rest = Array(text)[...]
    var groups: [UInt16] = []
    /// The place of `::`, which represents groups that are 0.
    var gap: Int?
    if rest.starts(with: [colon, colon]) {
      gap = 0
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let piece = rest.prefix { $0 != colon }
      rest = rest.dropFirst(piece.count)
      if rest.isEmpty, let address = ipv4(piece) {
        groups += address
        break
      }
      guard let group = group(piece) else { return nil }
      groups.append(group)
      guard !rest.isEmpty else { break }
      rest = rest.dropFirst()
      if rest.first == colon, gap == nil {
        gap = groups.count
        rest = rest.dropFirst()
      } else if rest.isEmpty {
        return nil
      }
    }
    guard let gap else { return groups.count == 8 ? groups : nil }
    guard groups.count < 8 else { return nil }
    groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
    return groups
  }

  /// The network of the first 64 bits in the spelling of RFC 5952, or the IPv4 address of `::ffff:0:0/96`.
  static func origin(of groups: [UInt16]) -> String {
    if groups[..<5].allSatisfy({ $0 == 0 }), groups[5] == 0xFFFF {
      return groups[6...].map { "\($0 >> 8).\($0 & 0xFF)" }.joined(separator: ".")
    }
    // the second half is the longest run of zeros, with the zeros before it
    var network = groups[..<4]
    while network.last == 0 { network.removeLast() }
    return network.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
  }

  private static func group(_ text: ArraySlice<UInt8>) -> UInt16? {
    guard (1...4).contains(text.count) else { return nil }
    var value: UInt16 = 0
    for byte in text {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }

  /// Two groups, or nil if the text is not an IPv4 address.
  private static func ipv4(_ text: ArraySlice<UInt8>) -> [UInt16]? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt16] = []
    for part in parts {
      guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
      var value: UInt16 = 0
      for byte in part {
        let digit = byte &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value * 10 + UInt16(digit)
      }
      guard value < 256 else { return nil }
      bytes.append(value)
    }
    return [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
  }
}
