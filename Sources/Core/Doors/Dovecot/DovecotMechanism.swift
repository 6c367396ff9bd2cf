internal import Dialogues

/// A SASL mechanism that sends a login and its password.
enum DovecotMechanism: String, CaseIterable {
  /// One response for login and password (RFC 4616).
  case plain = "PLAIN"
  /// Two responses: the server asks for the login, then for the password.
  case login = "LOGIN"

  init?(_ name: some Collection<UInt8>) {
    guard name.count <= 16 else { return nil }
    self.init(rawValue: String(decoding: name, as: UTF8.self).uppercased())
  }

  var first: Step {
    switch self {
    case .plain: .credentials
    case .login: .name
    }
  }

  /// The response that comes next.
  enum Step {
    case credentials
    case name
    case password(name: [UInt8])

    /// The server's prompt for the response, in base64.
    var prompt: String {
      switch self {
      case .credentials: ""
      case .name: "VXNlcm5hbWU6"
      case .password: "UGFzc3dvcmQ6"
      }
    }
  }
}

/// A SASL response on the wire: base64 (RFC 4648 §4) with its padding, and nothing else.
enum SASLResponse {
  /// Decodes a response. Returns nil if it is not base64. The result is wiped when it is released.
  static func decoded(_ text: Slice<UnsafeRawBufferPointer>) -> HeldBytes? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var bytes = HeldBytes()
    var (bits, count): (UInt32, UInt32) = (0, 0)
    for digit in text.dropLast(padding) {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      withUnsafeBytes(of: UInt8(truncatingIfNeeded: bits >> count)) { bytes.append($0) }
    }
    // requires zeros in the unused bits of the last digit, so that each response has only one encoding
    guard bits & (1 << count - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
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
