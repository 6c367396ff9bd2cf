internal import LoginVerdicts
internal import Registration

/// Reads a login's bytes as an address, a password and an origin, by the same rules for every door.
enum LoginName {
  /// The address that a name means: the name itself if it has an @, otherwise with the realm that the program
  /// sends, otherwise with the door's domain.
  ///
  /// - Returns: Nil if the name means no address: it is empty, is not UTF-8, has a character that `LoginText`
  ///   refuses, or lacks a domain.
  static func address(_ name: [UInt8], realm: [UInt8], _ terms: DoorTerms) -> String? {
    guard let name = LoginText.name(name) else { return nil }
    guard !name.utf8.contains(UInt8(ascii: "@")) else { return name }
    guard !realm.isEmpty else { return terms.domain.isEmpty ? nil : "\(name)@\(terms.domain)" }
    return LoginText.name(realm).map { "\(name)@\($0)" }
  }

  /// Whether addresses of the email's domain may sign in here. Without a list of domains, all addresses may. A string
  /// that is not an address is refused later, after the same work as a wrong password.
  static func mayEnter(_ email: String, _ terms: DoorTerms, _ rules: EmailRules) -> Bool {
    guard !terms.domains.isEmpty else { return true }
    guard let address = try? rules.addressOfAccount(email).get() else { return false }
    return terms.domains.contains(address.key.domain)
  }

  /// The password in NFC, the form in which passwords are hashed.
  ///
  /// - Returns: Nil if no account can have it: it is empty, is not UTF-8, or has a NUL.
  static func password(_ typed: Password, _ normalizer: any TextNormalizer) -> Password? {
    let isText = typed.withBytes { bytes in
      !bytes.isEmpty && !bytes.contains(0) && UnicodeText.isValid(bytes)
    }
    guard isText else { return nil }
    return typed.withBytes { Password(typed: $0, normalizer) }
  }

  /// The origin that a program names, in canonical form (`ClientAddress`), or nil if the program names no origin. Repairs
  /// invalid UTF-8, and cuts a long origin between characters.
  static func origin(_ bytes: [UInt8]) -> Origin? {
    let address = ClientAddress.canonical(bytes.prefix(4 * Origin.maximumLength).filter { $0 != 0 })
    var text = String(decoding: address, as: UTF8.self)
    while text.utf8.count > Origin.maximumLength { text.unicodeScalars.removeLast() }
    return Origin(text)
  }
}

/// Validates UTF-8 without making a `String`, whose memory could not be wiped.
private enum UnicodeText {
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}
