internal import CSodium
package import Registration

/// Hashes and compares codes with libsodium.
package struct SodiumCodeHashing: CodeHashing {
  package init() {}

  package func hash(_ message: [UInt8], key: CodeKey) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    // always returns 0
    _ = crypto_auth_hmacsha256(&hash, message, UInt64(message.count), key.bytes)
    return hash
  }

  package func digest(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&digest, message, UInt64(message.count))
    return digest
  }

  package func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && sodium_memcmp(one, other, one.count) == 0
  }
}
