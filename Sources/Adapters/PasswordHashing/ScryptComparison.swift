internal import CSodium
internal import Registration

extension PasswordHashFormat.Scrypt {
  /// scrypt cannot tell a short password from the same with NUL bytes at its end, for HMAC fills its key up with them
  /// (RFC 2104 §2). So that each password has one spelling, one that ends in a NUL byte is never right; it takes the
  /// same time.
  func compare(with password: Password) -> Comparison {
    let comparison = compareKey(with: password)
    return comparison == .same && password.withBytes { $0.last == 0 } ? .other : comparison
  }

  private func compareKey(with password: Password) -> Comparison {
    Comparison(to: tag) { derived in derive(password, salt: salt, into: derived, count: tag.count) }
  }

  /// - Returns: Whether it could.
  func derive(_ password: Password, salt: [UInt8], into key: UnsafeMutablePointer<UInt8>, count length: Int) -> Bool {
    password.withCharacters { characters, count in
      // bytes of the one type are bytes of the other; C has two names for them
      characters.withMemoryRebound(to: UInt8.self, capacity: count) { characters in
        crypto_pwhash_scryptsalsa208sha256_ll(
          characters, count, salt, salt.count, 1 << UInt64(logN), UInt32(blockSize), UInt32(parallelism),
          key, length) == 0
      }
    }
  }
}
