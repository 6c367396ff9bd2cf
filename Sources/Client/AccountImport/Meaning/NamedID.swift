internal import CMessageDigest
package import Registration

/// Makes ids for accounts that have no UUID in their system: UUIDs of version 5 (RFC 9562 §5.5), which anyone can
/// recompute from the other system's id.
package struct NamedIDs: Sendable {
  private let namespace: [UInt8]

  /// The namespace if the operator names none.
  package static let usualNamespace = "5d2f7a0c-93f4-4f0e-8f6b-0c6f2a7b41d8"

  package init(namespace: AccountID) {
    let digits = namespace.description.utf8.filter { $0 != UInt8(ascii: "-") }
    self.namespace = stride(from: 0, to: 32, by: 2).map { index in
      UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) ?? 0
    }
  }

  /// The name itself in lower case, if it is a UUID, otherwise the UUID of `system:name`.
  func id(_ name: String, of system: ForeignSystem) -> String {
    if AccountID(name) != nil { return name.lowercased() }
    var digest = Self.digest(namespace + Array("\(system.rawValue):\(name)".utf8)).prefix(16).map { $0 }
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    var text = ""
    for (index, byte) in digest.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
    }
    return text
  }

  /// The SHA-1 digest, 20 bytes.
  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var context = SHA1_CTX()
    var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_LENGTH))
    SHA1Init(&context)
    SHA1Update(&context, bytes, bytes.count)
    SHA1Final(&digest, &context)
    return digest
  }
}
