internal import CCrypt
internal import CSodium
internal import Registration
internal import Wiping

extension PasswordHashFormat.Bcrypt {
  /// By Debian's libxcrypt. What is behind a password's 72nd byte does not count, which is bcrypt's own rule: the first
  /// 72 with any end are right, and then no new hash replaces this one, for the end may be a typo.
  func compare(with password: Password) -> Comparison { Crypt.compare(password, text, length: Self.passwordLength) }
}

extension CryptHash {
  /// By Debian's libxcrypt, which takes passwords of at most 511 bytes; a longer one is never right.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    let comparison = Crypt.compare(password, text, length: Crypt.longestPhrase)
    return password.withBytes { $0.count > Crypt.longestPhrase } ? .other : comparison
  }
}

/// crypt(3).
private enum Crypt {
  /// CRYPT_MAX_PASSPHRASE_SIZE without the NUL.
  static let longestPhrase = 511

  /// So that a password cannot be cut short by a NUL byte, one that has any is never right; it takes the same time.
  ///
  /// - Parameter length: Bytes of a password that count.
  static func compare(_ password: Password, _ text: String, length: Int) -> Comparison {
    // zeroed memory is what crypt_rn asks for; past that it keeps nothing between calls
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
    // it fails for want of memory, and where libcrypt was built without the scheme; neither makes the password wrong
    guard let derived = crypt_rn(phrase, text, data, crypt_data_size) else { return .underivable }
    let length = text.utf8.count
    guard crypt_length(derived) == length else { return .underivable }
    return sodium_memcmp(derived, text, length) == 0 && !hasNUL ? .same : .other
  }
}
