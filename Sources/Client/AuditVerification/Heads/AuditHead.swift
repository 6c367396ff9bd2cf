internal import CSodium
internal import JSONRPC
package import RegdClient
internal import WireFormats

/// A signed statement about the audit at one time: how many entries it had, and the root of their tree (`audit.head`).
package struct AuditHead: Equatable, Sendable {
  package let size: Int
  package let root: AuditHash
  /// When the head was signed, exactly as regd wrote it, because this text is signed.
  package let time: String
  /// The public key, in base64.
  package let key: String
  private let signature: [UInt8]
  /// The head as one line of JSON, as regd sent it.
  package let text: String

  /// Returns nil if the value is not a head.
  package init?(_ value: JSONValue) {
    guard let size = value["size"]?.integer, size >= 0, let time = value["time"]?.string,
      let key = value["key"]?.string, let root = value["root"]?.string.flatMap({ AuditHash(base64: $0.utf8) }),
      let signature = value["signature"]?.string.flatMap({ Base64.decoded($0.utf8) })
    else { return nil }
    (self.size, self.root, self.time, self.key, self.signature) = (size, root, time, key, signature)
    text = value.text
  }

  /// Whether the owner of the head's own key has signed it.
  package var isSigned: Bool {
    guard let key = Base64.decoded(key.utf8), key.count == Int(crypto_sign_ed25519_PUBLICKEYBYTES),
      signature.count == Int(crypto_sign_ed25519_BYTES)
    else { return false }
    let signed = signedBytes
    return crypto_sign_ed25519_verify_detached(signature, signed, UInt64(signed.count), key) == 0
  }

  /// The signed bytes: canonical JSON of `size`, `root` and `time`. None of the three needs an escape.
  private var signedBytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("root", root.base64)
      writer.member("size", size)
      writer.member("time", time)
    }
    return writer.bytes
  }
}
