package import Registration

/// Hashes and signs without a library, for tests of what is done with hashes and signatures. Its hashes differ for different
/// messages, but anyone can find messages with equal ones.
package struct PlainCryptography: AuditCryptography {
  package init() {}

  /// FNV-1a in four lanes, each of which begins with another value.
  package func digest(_ message: [UInt8]) -> [UInt8] {
    (UInt64(1)...4).flatMap { lane in
      var hash = 0xCBF2_9CE4_8422_2325 &* (2 * lane + 1)
      for byte in message { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return withUnsafeBytes(of: hash.littleEndian) { Array($0) }
    }
  }

  package func publicKey(of seed: CodeKey) -> [UInt8] { digest(seed.bytes) }

  package func signature(of message: [UInt8], by seed: CodeKey) -> [UInt8] {
    digest(seed.bytes + message) + digest(message + seed.bytes)
  }
}
