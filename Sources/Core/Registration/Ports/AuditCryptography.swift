/// The hashes and signatures of the audit's tree. Implementations use a library.
package protocol AuditCryptography: Sendable {
  /// The SHA-256 (FIPS 180-4) of the message: 32 bytes.
  func digest(_ message: [UInt8]) -> [UInt8]

  /// The public key of the Ed25519 key pair (RFC 8032) that this seed determines: 32 bytes.
  func publicKey(of seed: CodeKey) -> [UInt8]

  /// The message's Ed25519 signature by the key pair that this seed determines: 64 bytes.
  func signature(of message: [UInt8], by seed: CodeKey) -> [UInt8]
}

/// The hashes of a Merkle tree (RFC 9162, section 2.1.1). Their prefixes keep a leaf from having the hash of a node.
extension AuditCryptography {
  package func leafHash(_ leaf: [UInt8]) -> [UInt8] { digest([0x00] + leaf) }

  package func nodeHash(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { digest([0x01] + left + right) }

  /// The root of a tree that consists of complete subtrees.
  ///
  /// - Parameter peaks: The roots of the subtrees, from left to right.
  package func root(of peaks: [[UInt8]]) -> [UInt8] {
    guard var root = peaks.last else { return digest([]) }
    for peak in peaks.dropLast().reversed() { root = nodeHash(peak, root) }
    return root
  }
}
