internal import CArgon2
internal import CCrypt
internal import CSodium
internal import Registration
internal import SecureMemory

/// The result of comparing a password with a hash, for which the hash is derived from the password again.
enum Comparison: Equatable, Sendable {
  case same
  case other
  /// The library could not derive the hash, so it is unknown whether the password is right. The usual cause is a lack
  /// of memory, because `PasswordHashFormat` has checked the parameters.
  case underivable

  /// Lets `derive` fill as many bytes as `expected` has, compares all of them in a time that depends only on their
  /// number, and wipes the derived bytes.
  ///
  /// - Parameter derive: Returns whether the derivation succeeded.
  init(to expected: [UInt8], _ derive: (UnsafeMutablePointer<UInt8>) -> Bool) {
    var derived = [UInt8](repeating: 0, count: expected.count)
    defer { wipe(&derived) }
    guard derive(&derived) else {
      self = .underivable
      return
    }
    self = sodium_memcmp(derived, expected, expected.count) == 0 ? .same : .other
  }
}

extension PasswordHashFormat.Scheme {
  /// Whether the hash was made from `password`. Takes the memory and the time that the hash's parameters demand.
  func compare(with password: Password, _ keys: ForeignKeys = ForeignKeys()) -> Comparison {
    switch self {
    case .argon2id(let hash): hash.compare(with: password)
    case .bcrypt(let hash): hash.compare(with: password)
    case .scrypt(let hash): hash.compare(with: password)
    case .foreign(let hash): hash.compare(with: password, keys)
    }
  }

  /// Compares with one form after the other, up to the first that fits.
  ///
  /// - Returns: The form that fits, or nil if no form fits.
  func compare(with forms: [PasswordForm], _ keys: ForeignKeys) -> (Comparison, PasswordForm?) {
    for form in forms {
      let comparison = compare(with: form.password, keys)
      if comparison != .other { return (comparison, form) }
    }
    return (.other, nil)
  }

  /// Whether the hash depends on every byte of the password. False if the scheme ignores a part, such as all that
  /// follows bcrypt's 72nd byte.
  func seesAll(of password: Password) -> Bool {
    switch self {
    case .argon2id, .scrypt: true
    case .bcrypt: password.withBytes { $0.count <= PasswordHashFormat.Bcrypt.passwordLength }
    case .foreign(let hash): hash.seesAll(of: password)
    }
  }

  /// Whether `SodiumHasher` would make such a hash today: Argon2id with one lane, exactly the parameters' memory and passes, and
  /// libsodium's lengths of salt and value.
  func isCurrent(_ parameters: SodiumHasher.Parameters) -> Bool {
    guard case .argon2id(let hash) = self else { return false }
    return hash.lanes == 1 && hash.memoryKiB == parameters.memoryKiB && hash.passes == parameters.passes
      && hash.salt.count == Int(crypto_pwhash_SALTBYTES) && hash.tag.count == PasswordHashFormat.Argon2id.ownTagLength
  }
}

extension Password {
  /// Calls `body` with the bytes and their number, as C libraries expect them: the pointer is not null even if the
  /// password is empty.
  func withCharacters<Result: Sendable>(_ body: (UnsafePointer<CChar>, Int) -> Result) -> Result {
    withBytes { bytes in
      guard let start = bytes.bindMemory(to: CChar.self).baseAddress, !bytes.isEmpty else { return body("", 0) }
      return body(start, bytes.count)
    }
  }
}

extension PasswordHashFormat.Argon2id {
  func compare(with password: Password) -> Comparison {
    password.withCharacters { characters, count in
      Comparison(to: tag) { derived in
        // libsodium is faster, but supports only one lane and one length of salt
        lanes == 1 && salt.count == Int(crypto_pwhash_SALTBYTES)
          ? deriveBySodium(characters, count, derived) : deriveByArgon2(characters, count, derived)
      }
    }
  }

  private func deriveBySodium(
    _ characters: UnsafePointer<CChar>, _ count: Int, _ derived: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    crypto_pwhash(
      derived, UInt64(tag.count), characters, UInt64(count), salt, UInt64(passes), memoryKiB * 1024,
      crypto_pwhash_ALG_ARGON2ID13) == 0
  }

  /// Debian's libargon2 supports everything that RFC 9106 allows. It overwrites its blocks before it frees them
  /// (FLAG_clear_internal_memory).
  private func deriveByArgon2(
    _ characters: UnsafePointer<CChar>, _ count: Int, _ derived: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    argon2_on_this_thread(
      Argon2_id, UInt32(memoryKiB), UInt32(passes), UInt32(lanes), characters, count, salt, salt.count, derived,
      tag.count)
      == ARGON2_OK.rawValue
  }
}

extension Argon2iHash {
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    password.withCharacters { characters, count in
      Comparison(to: argon2.tag) { derived in
        argon2_on_this_thread(
          Argon2_i, UInt32(argon2.memoryKiB), UInt32(argon2.passes), UInt32(argon2.lanes), characters, count,
          argon2.salt, argon2.salt.count, derived, argon2.tag.count) == ARGON2_OK.rawValue
      }
    }
  }
}

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
