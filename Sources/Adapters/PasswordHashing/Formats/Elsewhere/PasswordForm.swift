internal import Registration
internal import SecureMemory

/// A text of which another system may have made its hash when the owner typed the password.
struct PasswordForm: Sendable {
  let password: Password
  /// Whether the form shows all that was typed. A password that fits only without its white space may have been typed with
  /// wrong white space, and its hash is not replaced.
  let isWhole: Bool

  init(_ password: Password, isWhole: Bool = true) { (self.password, self.isWhole) = (password, isWhole) }

  /// The password in NFC, and as it was typed if NFC changes it.
  static func unescaped(_ password: Password) -> [PasswordForm] {
    [PasswordForm(password)] + (password.typed.map { [PasswordForm($0)] } ?? [])
  }
}

/// The changes that a system makes to a typed password before it hashes it.
enum PasswordEscape: Sendable {
  /// WordPress: a backslash before quotation marks, apostrophes and backslashes (`wp_magic_quotes`, PHP's
  /// addslashes()), because WordPress hashes the password as PHP's superglobals contain it.
  case slashes
  /// phpBB: entities of HTML for `&`, `<`, `>` and the quotation mark (`type_cast_helper::set_var`, PHP's htmlspecialchars()
  /// with ENT_COMPAT).
  case entities
  /// phpass in WordPress and phpBB 3.0: without the white space at both ends (PHP's trim()).
  case trim

  /// The escaped form, or nil if it is the same.
  func form(of form: PasswordForm) -> PasswordForm? {
    form.password.withBytes { bytes in
      if self == .trim {
        let trimmed = PrehashedBcrypt.trimmed(bytes)
        return trimmed.count == bytes.count ? nil : PasswordForm(Password(utf8: Array(trimmed)), isWhole: false)
      }
      let count = bytes.reduce(0) { $0 + (replacement(of: $1)?.count ?? 1) }
      guard count != bytes.count else { return nil }
      // reserved at once, because a growing array would leave copies that no code wipes
      var escaped: [UInt8] = []
      escaped.reserveCapacity(count)
      for byte in bytes {
        if let replacement = replacement(of: byte) { escaped += replacement } else { escaped.append(byte) }
      }
      return PasswordForm(Password(utf8: escaped), isWhole: form.isWhole)
    }
  }

  private func replacement(of byte: UInt8) -> [UInt8]? {
    switch (self, byte) {
    case (.slashes, UInt8(ascii: "'")), (.slashes, UInt8(ascii: "\"")), (.slashes, UInt8(ascii: "\\")):
      [UInt8(ascii: "\\"), byte]
    case (.entities, UInt8(ascii: "&")): Array("&amp;".utf8)
    case (.entities, UInt8(ascii: "<")): Array("&lt;".utf8)
    case (.entities, UInt8(ascii: ">")): Array("&gt;".utf8)
    case (.entities, UInt8(ascii: "\"")): Array("&quot;".utf8)
    default: nil
    }
  }
}

extension PasswordHashFormat.Scheme {
  /// The forms of which the hash may have been made, each once: the password in NFC, as it was typed, and as the systems
  /// that write such hashes escape both. Most passwords have one form.
  func forms(of password: Password) -> [PasswordForm] {
    var forms = PasswordForm.unescaped(password)
    if escapes.contains(.trim) { forms += forms.compactMap { PasswordEscape.trim.form(of: $0) } }
    let plain = forms
    for escape in escapes where escape != .trim { forms += plain.compactMap { escape.form(of: $0) } }
    return forms
  }

  private var escapes: [PasswordEscape] {
    switch self {
    // PHP writes argon2id for phpBB 3.3, and for WordPress with the filter `wp_hash_password_algorithm`. Only PHP
    // writes bcrypt as 2y: for phpBB 3.1, and for plug-ins of WordPress
    case .argon2id: [.slashes, .entities]
    case .bcrypt(let hash): hash.text.hasPrefix("$2y$") ? [.slashes, .entities] : []
    case .scrypt: []
    case .foreign(let hash): hash.escapes
    }
  }
}
