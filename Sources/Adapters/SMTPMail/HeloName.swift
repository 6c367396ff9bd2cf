internal import Linux

/// The name by which regd introduces itself to a mail server, in EHLO and HELO (RFC 5321 sections 2.3.5 and 4.1.3): the
/// machine's full host name, or if the machine has none, the address from which it reaches the server, in brackets. Servers
/// refuse a first label alone (504).
enum HeloName {
  /// - Parameter server: The host of `mail.smtp.url`.
  static func own(towards server: String) -> String {
    let hosts = (try? FileReading.text("/etc/hosts")) ?? ""
    return fullName(HostName.own, hosts: hosts) ?? literal(address(towards: server))
  }

  /// The full name of a host. No DNS is asked, because the start must not wait for it.
  ///
  /// - Parameters:
  ///   - name: The host's name, full or not.
  ///   - hosts: The content of /etc/hosts (hosts(5)).
  /// - Returns: Nil if neither has a full name that means something to another machine.
  static func fullName(_ name: String, hosts: String) -> String? {
    if isFull(name) { return name }
    for line in hosts.split(whereSeparator: \.isNewline) {
      let names = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }.dropFirst().map(String.init)
      if names.contains(where: { $0.lowercased() == name.lowercased() }), let full = names.first(where: isFull) {
        return full
      }
    }
    return nil
  }

  private static func isFull(_ name: String) -> Bool {
    let labels = name.lowercased().split(separator: ".")
    return labels.count > 1 && isName(name) && labels.last != "localdomain" && labels.last != "localhost"
  }

  /// - Parameter server: A name or an address. A name is not looked up. For a name, regd uses the address from which it
  ///   reaches the Internet, represented by a documentation prefix (RFC 5737, RFC 3849).
  private static func address(towards server: String) -> String {
    let host = server.drop { $0 == "[" }.prefix { $0 != "]" }
    guard host.lowercased() != "localhost" else { return "127.0.0.1" }
    return [String(host), "192.0.2.1", "2001:db8::1"].lazy.compactMap(OwnAddress.towards).first ?? "127.0.0.1"
  }

  static func literal(_ address: String) -> String {
    address.contains(":") ? "[IPv6:\(address)]" : "[\(address)]"
  }

  /// Why a text cannot be the value of `mail.smtp.helo`, or nil if it can.
  static func problem(_ text: String) -> String? {
    guard text.hasPrefix("["), text.hasSuffix("]") else {
      return isName(text)
        ? nil
        : "must be a host name, as in mail.example.com, or an address in brackets, as in [192.0.2.1] or [IPv6:2001:db8::1]"
    }
    let address = text.dropFirst().dropLast()
    let isLiteral =
      address.hasPrefix("IPv6:")
      ? OwnAddress.isAddress(String(address.dropFirst(5)), six: true)
      : OwnAddress.isAddress(String(address), six: false)
    return isLiteral ? nil : "is not an address in brackets, as in [192.0.2.1] or [IPv6:2001:db8::1]"
  }

  private static func isName(_ text: String) -> Bool {
    guard (1...253).contains(text.utf8.count) else { return false }
    return text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy { byte in
          byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
        }
    }
  }
}
