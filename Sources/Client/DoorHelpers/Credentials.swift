internal import LoginVerdicts

/// An address and a password for regd to check. The initializer returns nil for values that no account can have. The
/// caller then answers "wrong" without asking regd.
package struct Credentials: Equatable, Sendable {
  package let email: String
  package let password: String
  /// The program's name for the person or the client address that signs in, or nil if the program gives none.
  package let origin: String?

  /// - Parameters:
  ///   - login: The address, or only its part before the `@`.
  ///   - realm: Completes a login without an `@`. It is nil or "" if regd may complete it, or finds that it is wrong.
  ///   - origin: The program's name for the person or the client address. It is nil or "" for none.
  /// - Returns: Nil if login, password or realm is not UTF-8 or has a NUL, if login or realm has another character that
  ///   `LoginText` refuses, or if login or password is empty or has more than `longest` bytes.
  package init?(
    login: some Collection<UInt8>, password: some Collection<UInt8>, realm: String?, origin: String? = nil
  ) {
    guard password.count <= Self.longest, let email = Self.address(login: login, realm: realm),
      let password = Self.text(password)
    else { return nil }
    (self.email, self.password) = (email, password)
    self.origin = Self.origin(origin)
  }

  /// The most bytes of a login or a password. No account has a longer password: the key `password.maximumLength` allows up
  /// to 4096 characters, which in any normal form have less than 50 000 bytes.
  package static let longest = 65_536

  /// The address that a login means, or the login alone if it has neither an `@` nor a realm. It is nil if the login is
  /// empty or too long, or if login or realm is not UTF-8 or has a character that `LoginText` refuses.
  package static func address(login: some Collection<UInt8>, realm: String?) -> String? {
    guard login.count <= longest, let login = LoginText.name(login) else { return nil }
    if login.utf8.contains(UInt8(ascii: "@")) { return login }
    guard let realm, !realm.isEmpty else { return login }
    return LoginText.name(realm.utf8).map { "\(login)@\($0)" }
  }

  /// The bytes as a text, or nil if they are empty, not UTF-8, or have a NUL.
  static func text(_ bytes: some Collection<UInt8>) -> String? {
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The most bytes of an origin that regd takes.
  package static let longestOrigin = 128

  /// The origin in canonical form (`ClientAddress`), cut to the length that regd accepts, but not within a character,
  /// or nil if it is empty.
  static func origin(_ text: String?) -> String? {
    guard let address = text?.utf8, !address.isEmpty else { return nil }
    let text = String(decoding: ClientAddress.canonical(address), as: UTF8.self)
    guard !text.isEmpty else { return nil }
    guard text.utf8.count > longestOrigin else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: longestOrigin)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end])
  }
}
