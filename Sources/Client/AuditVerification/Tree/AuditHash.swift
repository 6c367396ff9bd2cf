internal import CSodium
internal import WireFormats

/// A hash of the audit's tree: SHA-256 (RFC 9162 §2.1.1).
package struct AuditHash: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  /// The number of bytes of a hash.
  static let byteCount = 32

  /// The hash of bytes. Those of a leaf begin with a zero byte.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = [UInt8](repeating: 0, count: Self.byteCount)
    crypto_hash_sha256(&hash, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: hash) }
  }

  /// Reads a hash in base64. Returns nil if the text is not one.
  package init?(base64 text: some Collection<UInt8>) {
    guard let bytes = Base64.decoded(text), bytes.count == Self.byteCount else { return nil }
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// The root of a tree without entries.
  package static let empty = AuditHash(of: UnsafeRawBufferPointer(start: nil, count: 0))

  /// The hash of the node above two nodes.
  package static func node(_ left: AuditHash, _ right: AuditHash) -> AuditHash {
    withUnsafeTemporaryAllocation(byteCount: 1 + 2 * byteCount, alignment: 1) { node in
      node[0] = 1
      node.storeBytes(of: left.words, toByteOffset: 1, as: SIMD4<UInt64>.self)
      node.storeBytes(of: right.words, toByteOffset: 1 + byteCount, as: SIMD4<UInt64>.self)
      return AuditHash(of: UnsafeRawBufferPointer(node))
    }
  }

  package var base64: String { Base64.encoded(withUnsafeBytes(of: words) { [UInt8]($0) }) }
}
