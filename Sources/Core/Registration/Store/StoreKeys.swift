internal import WireFormats

/// A store's three secret keys: for the codes of claims, for the stamps of sign-ins (`SessionStamps`), and for the heads of the
/// audit's tree (`AuditHead`).
package struct StoreKeys: Equatable, Sendable {
  /// The key of the codes: 32 random bytes that were made with the store and never change. The key moves with the
  /// accounts.
  package let codes: CodeKey
  /// The key of the stamps of sign-ins: 32 random bytes, under the rules of `codes` with one exception. A database that
  /// was restored from a backup gets a new key, so that sign-ins that were ended after the backup do not become valid
  /// again.
  package let stamps: CodeKey
  /// The seed of the key pair that signs the heads of the audit's tree, under the rules of `codes`.
  package let audit: CodeKey

  package init(codes: CodeKey, stamps: CodeKey, audit: CodeKey) {
    (self.codes, self.stamps, self.audit) = (codes, stamps, audit)
  }

  package static func random() -> StoreKeys { StoreKeys(codes: .random(), stamps: .random(), audit: .random()) }
}

/// A secret key, for the codes of claims, for the stamps of sign-ins, or for the heads of the audit's tree. Its description
/// hides the bytes, so that no log line can show them.
package struct CodeKey: Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  /// - Parameter bytes: 32 bytes. The result is nil for any other number.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// - Parameter text: 32 bytes in base64, with the padding. The result is nil for any other text.
  package init?(base64 text: String) {
    guard let bytes = Base64.decoded(text.utf8) else { return nil }
    self.init(bytes)
  }

  package static func random() -> CodeKey {
    var random = SystemRandomNumberGenerator()
    return CodeKey(unchecked: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  package var description: String { "(key of codes)" }
}
