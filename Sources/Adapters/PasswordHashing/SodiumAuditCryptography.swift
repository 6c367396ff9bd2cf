internal import CSodium
package import Registration
internal import SecureMemory

/// Hashes the audit's tree and signs its heads with libsodium.
package struct SodiumAuditCryptography: AuditCryptography {
  package init() {}

  package func digest(_ message: [UInt8]) -> [UInt8] { SodiumCodeHashing().digest(message) }

  package func publicKey(of seed: CodeKey) -> [UInt8] {
    var pair = Self.pair(of: seed)
    defer { wipe(&pair.secretKey) }
    return pair.publicKey
  }

  package func signature(of message: [UInt8], by seed: CodeKey) -> [UInt8] {
    var pair = Self.pair(of: seed)
    defer { wipe(&pair.secretKey) }
    var signature = [UInt8](repeating: 0, count: crypto_sign_ed25519_bytes())
    // always returns 0
    _ = crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), pair.secretKey)
    return signature
  }

  private static func pair(of seed: CodeKey) -> (publicKey: [UInt8], secretKey: [UInt8]) {
    var publicKey = [UInt8](repeating: 0, count: crypto_sign_ed25519_publickeybytes())
    var secretKey = [UInt8](repeating: 0, count: crypto_sign_ed25519_secretkeybytes())
    // always returns 0
    _ = crypto_sign_ed25519_seed_keypair(&publicKey, &secretKey, seed.bytes)
    return (publicKey, secretKey)
  }
}
