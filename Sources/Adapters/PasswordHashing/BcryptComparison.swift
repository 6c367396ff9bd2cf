internal import CCrypt
internal import CSodium
internal import Registration
internal import SecureMemory

extension PasswordHashFormat.Bcrypt {
  /// Uses Debian's libxcrypt. bcrypt ignores everything after a password's 72nd byte. When a longer password matches,
  /// regd keeps the old hash (`seesAll`), because the ignored bytes may be wrong.
  func compare(with password: Password) -> Comparison { Crypt.compare(password, text, length: Self.passwordLength) }
}

extension CryptHash {
  /// Uses Debian's libxcrypt, which supports passwords of at most 511 bytes. A longer password never matches.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    let comparison = Crypt.compare(password, text, length: Crypt.longestPhrase)
    return password.withBytes { $0.count > Crypt.longestPhrase } ? .other : comparison
  }
}

/// Calls crypt(3) of libxcrypt.
private enum Crypt {
  /// The most bytes of a password: CRYPT_MAX_PASSPHRASE_SIZE without the NUL.
  static let longestPhrase = 511

  /// Compares by crypt(3). A password that contains a NUL byte never matches, because crypt(3) would read only the part
  /// before that byte. The comparison then takes the same time.
  ///
  /// - Parameter length: How many leading bytes of the password are compared.
  static func compare(_ password: Password, _ text: String, length: Int) -> Comparison {
    // crypt_rn needs zeroed memory and keeps no state from one call to the next
    guard let data = crypt_data_new() else { return .underivable }
    defer {
      wipe(UnsafeMutableRawBufferPointer(start: data, count: Int(crypt_data_size)))
      crypt_data_free(data)
    }
    var phrase = [CChar](repeating: 0, count: length + 1)
    defer { phrase.withUnsafeMutableBytes { wipe($0) } }
    let hasNUL = password.withBytes { bytes in
      phrase.withUnsafeMutableBytes { $0.copyBytes(from: bytes.prefix(length)) }
      return bytes.contains(0)
    }
    // crypt_rn fails if memory is short, or if libcrypt was built without the scheme. Neither shows that the password
    // is wrong.
    guard let derived = crypt_rn(phrase, text, data, crypt_data_size) else { return .underivable }
    let length = text.utf8.count
    guard crypt_length(derived) == length else { return .underivable }
    return sodium_memcmp(derived, text, length) == 0 && !hasNUL ? .same : .other
  }
}
