/// The address of a client as proxies and mail servers write it. Doors and helper programs make the `origin` of a
/// sign-in from it. All connections of one client must therefore have the same address.
package enum ClientAddress {
  /// The part of an address that a client cannot change at will, in one canonical spelling. Of an IPv6 address this is
  /// the network of 64 bits, such as `2001:db8::/64`, because a client with one address in the network has all of them.
  /// An IPv4 address in IPv6's form (`::ffff:192.0.2.7`) becomes `192.0.2.7`.
  ///
  /// The port, brackets and quotation marks around an address are dropped, because a client has another port on each
  /// connection. A host name loses its port only if it has a dot, because a text such as `user:7` may be any name. All
  /// other texts remain unchanged, except that spaces around them are dropped.
  package static func canonical(_ text: some Collection<UInt8>) -> [UInt8] {
    let address = withoutPort(text)
    // an address of the local network may name the interface, as in fe80::1%eth0
    let literal = address.prefix { $0 != UInt8(ascii: "%") }
    return IPv6Literal.groups(of: literal).map { Array(IPv6Literal.origin(of: $0).utf8) } ?? address
  }

  private static func withoutPort(_ text: some Collection<UInt8>) -> [UInt8] {
    var text = trimmed(Array(text)[...], of: [space, tab])
    if text.count > 2, text.first == quote, text.last == quote { text = text.dropFirst().dropLast() }
    if text.first == UInt8(ascii: "["), let end = text.firstIndex(of: UInt8(ascii: "]")), end > text.startIndex + 1,
      isPort(text[(end + 1)...])
    {
      return Array(text[(text.startIndex + 1)..<end])
    }
    // an IPv6 address without brackets has several colons, and no port
    guard let colon = text.firstIndex(of: colon), isPort(text[colon...]), isHostWithDot(text[..<colon]) else {
      return Array(text)
    }
    return Array(text[..<colon])
  }

  /// The last address of a list, as in `X-Forwarded-For`, in canonical form. A proxy appends the address that it saw to
  /// those that its client sent, which may be forged. Empty if the last entry is empty.
  package static func last(of list: some Collection<UInt8>) -> [UInt8] {
    let list = Array(list)
    return canonical(list[((list.lastIndex(of: UInt8(ascii: ",")) ?? -1) + 1)...])
  }

  private static let colon = UInt8(ascii: ":")
  private static let quote = UInt8(ascii: "\"")
  private static let space = UInt8(ascii: " ")
  private static let tab = UInt8(ascii: "\t")

  private static func trimmed(_ text: ArraySlice<UInt8>, of marks: [UInt8]) -> ArraySlice<UInt8> {
    var text = text.drop { marks.contains($0) }
    while let last = text.last, marks.contains(last) { text.removeLast() }
    return text
  }

  /// Whether a text is a colon and a port, or empty.
  private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
    text.isEmpty || text.first == colon && (1...5).contains(text.count - 1) && text.dropFirst().allSatisfy(isDigit)
  }

  private static func isHostWithDot(_ text: ArraySlice<UInt8>) -> Bool {
    text.contains(UInt8(ascii: "."))
      && text.allSatisfy { byte in
        isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26 || "-._".utf8.contains(byte)
      }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

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
