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
