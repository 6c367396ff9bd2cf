/// Credentials of the scheme Basic (RFC 7617): a name, a colon and a password, in base64.
enum BasicCredentials {
  private static let scheme = "basic"

  /// - Parameters:
  ///   - value: The value of `Authorization`.
  ///   - origin: The origin that the caller names. It becomes part of the login.
  /// - Returns: Nil for another scheme, for text that is not base64 (RFC 4648 §4, with all its padding and without
  ///   stray bits), and for credentials without a colon.
  static func login(_ value: Octets, origin: [UInt8]) -> Login? {
    guard let end = value.firstIndex(of: HTTPSyntax.space), HTTPSyntax.isSame(value[..<end], scheme) else { return nil }
    let text = value[end...].drop { $0 == HTTPSyntax.space }
    let digits = text.prefix { $0 != UInt8(ascii: "=") }
    let padding = text[digits.endIndex...]
    guard !digits.isEmpty, text.count % 4 == 0, padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }),
      digits.allSatisfy({ number($0) != nil })
    else { return nil }
    var name: [UInt8] = []
    // reserves the whole capacity, because growing would leave a copy that no code wipes
    var password: [UInt8] = []
    password.reserveCapacity(text.count / 4 * 3)
    var (bits, count, isName): (UInt32, Int, Bool) = (0, 0, true)
    for digit in digits {
      bits = bits << 6 | (number(digit) ?? 0)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
      if !isName {
        password.append(byte)
      } else if byte == UInt8(ascii: ":") {
        isName = false
      } else {
        name.append(byte)
      }
    }
    let hasStrayBits = bits & (1 << UInt32(count) - 1) != 0
    let login = Login(name: name, password: consume password, origin: origin)
    return isName || hasStrayBits ? nil : login
  }

  private static func number(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
