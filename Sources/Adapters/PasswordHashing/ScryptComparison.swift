internal import CSodium
internal import Registration

extension PasswordHashFormat.Scrypt {
  /// HMAC pads its key with NUL bytes (RFC 2104 §2), so scrypt cannot distinguish a short password from the same one
  /// with NUL bytes after it. Therefore a password that ends in a NUL byte is never accepted. The comparison then takes
  /// the same time.
  func compare(with password: Password) -> Comparison {
    let comparison = compareKey(with: password)
    return comparison == .same && password.withBytes { $0.last == 0 } ? .other : comparison
  }

  private func compareKey(with password: Password) -> Comparison {
    Comparison(to: tag) { derived in derive(password, salt: salt, into: derived, count: tag.count) }
  }

  /// - Returns: Whether libsodium could derive the key.
  func derive(_ password: Password, salt: [UInt8], into key: UnsafeMutablePointer<UInt8>, count length: Int) -> Bool {
    password.withCharacters { characters, count in
      // char and uint8_t are two C types for the same bytes
      characters.withMemoryRebound(to: UInt8.self, capacity: count) { characters in
        crypto_pwhash_scryptsalsa208sha256_ll(
          characters, count, salt, salt.count, 1 << UInt64(logN), UInt32(blockSize), UInt32(parallelism),
          key, length) == 0
      }
    }
  }
}
