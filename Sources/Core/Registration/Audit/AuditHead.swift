internal import WireFormats

/// A signed statement: at this time, the audit was the tree with this size and this root. Operators keep heads elsewhere, to
/// verify later that the audit still begins with the same entries.
package struct AuditHead: Equatable, Sendable {
  package let size: Int
  package let root: [UInt8]
  package let time: Timestamp
  /// The public key of the signature.
  package let key: [UInt8]
  /// The Ed25519 signature of `signed`.
  package let signature: [UInt8]

  init(_ tree: AuditFrontier, at time: Timestamp, by seed: CodeKey, _ cryptography: any AuditCryptography) {
    (size, root, self.time) = (tree.size, tree.root(cryptography), time)
    key = cryptography.publicKey(of: seed)
    signature = cryptography.signature(of: Self.signed(size, root, time), by: seed)
  }

  /// The signed bytes: size, root and time as canonical JSON.
  private static func signed(_ size: Int, _ root: [UInt8], _ time: Timestamp) -> [UInt8] {
    CanonicalJSON.object([
      ("root", .text(Base64.encoded(root))), ("size", .number(size)), ("time", .text(time.rfc3339)),
    ])
  }
}

/// The size of the audit, and when its head was last read.
package struct AuditState: Equatable, Sendable {
  /// The number of entries in the tree.
  package let size: Int
  /// When a head was last read. Nil if never.
  package let headAt: Timestamp?

  package init(size: Int, headAt: Timestamp?) { (self.size, self.headAt) = (size, headAt) }
}
