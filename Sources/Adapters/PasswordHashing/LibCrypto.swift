internal import CLibCrypto
internal import Registration
internal import SecureMemory

/// The library libcrypto. It is loaded when regd first imports or compares a hash that needs it.
private enum LibCrypto {
  static func require() throws(PasswordHashFault) {
    guard let failure = crypto_load_failure() else { return }
    throw .missingLibrary("libcrypto", reason: String(cString: failure))
  }
}

extension PBKDF2Hash { func requireLibrary() throws(PasswordHashFault) { try LibCrypto.require() } }
extension SaltedDigestHash { func requireLibrary() throws(PasswordHashFault) { try LibCrypto.require() } }
extension PhpassHash { func requireLibrary() throws(PasswordHashFault) { try LibCrypto.require() } }
extension PrehashedBcrypt { func requireLibrary() throws(PasswordHashFault) { try LibCrypto.require() } }
extension FirebaseHash { func requireLibrary() throws(PasswordHashFault) { try LibCrypto.require() } }

/// Computes digests with libcrypto, which wipes its state when the context is freed.
struct DigestContext: ~Copyable {
  private let context: OpaquePointer

  /// Makes a context. Returns nil if memory is short.
  init?() {
    guard let context = EVP_MD_CTX_new() else { return nil }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Writes the digest of two concatenated pieces to `derived`, which must have room for it.
  ///
  /// - Parameter function: The hash function. Nil for the one of the previous call, which saves libcrypto a look-up.
  /// - Returns: Whether libcrypto succeeded.
  func digest(
    _ function: OpaquePointer?, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    into derived: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    EVP_DigestInit_ex(context, function, nil) == 1
      && EVP_DigestUpdate(context, first.baseAddress, first.count) == 1
      && EVP_DigestUpdate(context, second.baseAddress, second.count) == 1
      && EVP_DigestFinal_ex(context, derived, nil) == 1
  }
}

extension DigestKind {
  fileprivate var function: OpaquePointer? {
    switch self {
    case .sha1: EVP_sha1()
    case .sha256: EVP_sha256()
    case .sha512: EVP_sha512()
    }
  }
}

extension PBKDF2Hash {
  /// HMAC pads its key with NUL bytes (RFC 2104 §2), so it cannot distinguish a short password from the same one with
  /// NUL bytes after it. Therefore a password that ends in a NUL byte is never accepted. The comparison then takes the
  /// same time.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    let comparison = password.withCharacters { characters, count in
      Comparison(to: tag) { derived in
        guard let count = CInt(exactly: count) else { return false }
        return PKCS5_PBKDF2_HMAC(
          characters, count, salt, CInt(salt.count), CInt(iterations), digest.function, CInt(tag.count), derived) == 1
      }
    }
    return comparison == .same && password.withBytes { $0.last == 0 } ? .other : comparison
  }
}

extension SaltedDigestHash {
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    Comparison(to: tag) { derived in
      guard let context = DigestContext() else { return false }
      return password.withBytes { password in
        salt.withUnsafeBytes { context.digest(digest.function, password, $0, into: derived) }
      }
    }
  }
}

extension PhpassHash {
  /// A password longer than `longestPassword` never matches. Its comparison takes as long as one of exactly that
  /// length.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    let comparison = Comparison(to: tag) { derived in
      guard let context = DigestContext() else { return false }
      let last = UnsafeRawBufferPointer(start: derived, count: tag.count)
      return password.withBytes { password in
        let password = UnsafeRawBufferPointer(rebasing: password.prefix(Self.longestPassword))
        guard salt.withUnsafeBytes({ context.digest(EVP_md5(), $0, password, into: derived) }) else { return false }
        for _ in 0..<(1 << logCount) {
          guard context.digest(nil, last, password, into: derived) else { return false }
        }
        return true
      }
    }
    return password.withBytes { $0.count > Self.longestPassword } ? .other : comparison
  }
}

extension PrehashedBcrypt {
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    guard let inner = prehash(password) else { return .underivable }
    return bcrypt.compare(with: inner)
  }

  private func prehash(_ password: Password) -> Password? {
    var digest = [UInt8](repeating: 0, count: self.digest == .wordPress ? 48 : 32)
    defer { wipe(&digest) }
    let isDone: Bool =
      switch self.digest {
      case .wordPress:
        password.withBytes { bytes in
          let trimmed = UnsafeRawBufferPointer(rebasing: Self.trimmed(bytes))
          let key = "wp-sha384"
          // HMAC accepts no null pointer, even for no bytes
          return [0].withUnsafeBytes { none in
            HMAC(
              EVP_sha384(), key, CInt(key.utf8.count),
              (trimmed.baseAddress ?? none.baseAddress)?.assumingMemoryBound(to: UInt8.self), trimmed.count, &digest,
              nil) != nil
          }
        }
      case .django:
        Self.sha256(of: password, into: &digest)
      }
    guard isDone else { return nil }
    return Password(utf8: self.digest == .wordPress ? Self.base64(digest) : Self.hexadecimal(digest))
  }

  private static func sha256(of password: Password, into digest: inout [UInt8]) -> Bool {
    guard let context = DigestContext() else { return false }
    return password.withBytes { bytes in
      digest.withUnsafeMutableBufferPointer { digest in
        digest.baseAddress.map {
          context.digest(EVP_sha256(), bytes, UnsafeRawBufferPointer(start: nil, count: 0), into: $0)
        } ?? false
      }
    }
  }

  /// Encodes bytes whose number is a multiple of three, so that the text has no padding.
  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    var text = [UInt8](repeating: 0, count: bytes.count / 3 * 4 + 1)
    defer { wipe(&text) }
    EVP_EncodeBlock(&text, bytes, CInt(bytes.count))
    return Array(text.dropLast())
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }
}

extension FirebaseHash {
  /// The tag is the project's signer key, encrypted with AES-256 in counter mode under a key that scrypt derives from
  /// the password. The comparison encrypts the signer key again. As with scrypt, a password that ends in a NUL byte
  /// never matches.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison {
    guard let signer = keys.firebase, signer.count == scrypt.tag.count else { return .underivable }
    var key = [UInt8](repeating: 0, count: 32)
    defer { wipe(&key) }
    guard scrypt.derive(password, salt: scrypt.salt + separator, into: &key, count: key.count) else {
      return .underivable
    }
    let comparison = Comparison(to: scrypt.tag) { derived in Self.encrypt(signer, key, into: derived) }
    return comparison == .same && password.withBytes { $0.last == 0 } ? .other : comparison
  }

  private static func encrypt(_ text: [UInt8], _ key: [UInt8], into derived: UnsafeMutablePointer<UInt8>) -> Bool {
    guard let context = EVP_CIPHER_CTX_new() else { return false }
    defer { EVP_CIPHER_CTX_free(context) }
    var count: CInt = 0
    let counter = [UInt8](repeating: 0, count: 16)
    return EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nil, key, counter) == 1
      && EVP_EncryptUpdate(context, derived, &count, text, CInt(text.count)) == 1 && Int(count) == text.count
  }
}
