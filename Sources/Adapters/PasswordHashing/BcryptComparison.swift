internal import CCrypt
internal import CSodium
internal import Registration
internal import Wiping

extension PasswordHashFormat.Bcrypt {
  /// By Debian's libxcrypt. What is behind a password's 72nd byte does not count, which is bcrypt's own rule: the first
  /// 72 with any end are right, and then no new hash replaces this one, for the end may be a typo. So that a
  /// password cannot be cut short in another way, one with a NUL byte is never right; it takes the same time.
  func compare(with password: Password) -> Comparison {
    // zeroed memory is what crypt_rn asks for; past that it keeps nothing between calls
    guard let data = crypt_data_new() else { return .underivable }
    defer {
      wipe(UnsafeMutableRawBufferPointer(start: data, count: Int(crypt_data_size)))
      crypt_data_free(data)
    }
    var phrase = [CChar](repeating: 0, count: Self.passwordLength + 1)
    defer { phrase.withUnsafeMutableBytes { wipe($0) } }
    let hasNUL = password.withBytes { bytes in
      phrase.withUnsafeMutableBytes { $0.copyBytes(from: bytes.prefix(Self.passwordLength)) }
      return bytes.contains(0)
    }
    // it fails for want of memory, and where libcrypt was built without bcrypt; neither makes the password wrong
    guard let derived = crypt_rn(phrase, text, data, crypt_data_size) else { return .underivable }
    let length = text.utf8.count
    guard crypt_length(derived) == length else { return .underivable }
    return sodium_memcmp(derived, text, length) == 0 && !hasNUL ? .same : .other
  }
}
