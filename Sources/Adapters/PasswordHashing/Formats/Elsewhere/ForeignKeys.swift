/// The secrets, other than salts, without which hashes of other systems cannot be verified.
package struct ForeignKeys: Equatable, Sendable, CustomStringConvertible {
  /// The signer key of a Firebase project, or nil if none is configured.
  let firebase: [UInt8]?

  /// Bytes of a signer key. Google's keys have 64. Each hash value is as long as its project's key.
  static let firebaseLengths = PasswordHashFormat.minimumTagLength...128

  package init() { firebase = nil }

  /// Whether every key that a hash may need counts as configured.
  private(set) var areAssumed = false

  /// The keys for `regctl`, which does not know the configured keys: no hash is refused for lack of a key.
  package static let assumed: ForeignKeys = {
    var keys = ForeignKeys()
    keys.areAssumed = true
    return keys
  }()

  /// - Parameter firebase: `base64_signer_key` as the Firebase console shows it: base64 of RFC 4648 §4 with padding.
  /// - Returns: Nil for any other text, and for a key of another length.
  package init?(firebase: String) {
    let text = Array(firebase.utf8)
    guard let key = try? PasswordHashFields.padded(text[...], .tag), Self.firebaseLengths.contains(key.count)
    else { return nil }
    self.firebase = key
  }

  package var description: String { "(keys)" }
}
