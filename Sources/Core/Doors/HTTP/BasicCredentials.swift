internal import WireProtocols

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
    guard let credentials = EncodedSecret.decoded(value[end...].drop { $0 == HTTPSyntax.space }) else { return nil }
    let bytes = credentials.bytes
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return Login(name: Array(bytes[..<colon]), password: Array(bytes[(colon + 1)...]), origin: origin)
  }
}
