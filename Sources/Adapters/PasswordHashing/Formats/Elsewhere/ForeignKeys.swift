/// Secrets other than salts that hashes of other systems need.
package struct ForeignKeys: Equatable, Sendable, CustomStringConvertible {
  /// The signer key of a Firebase project; nil if none is configured.
  let firebase: [UInt8]?

  /// Bytes of a signer key. Google's have 64; each hash value is as long as its project's key.
  static let firebaseLengths = PasswordHashFormat.minimumTagLength...128

  /// No keys.
  package init() { firebase = nil }

  /// Whether every key that a hash needs is assumed to exist.
  private(set) var areAssumed = false

  /// For a reader that cannot know the configured keys, and so must refuse no hash for lack of a key.
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
