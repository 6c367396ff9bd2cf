/// Secrets that hashes from elsewhere were made with, beside their salts.
package struct ForeignKeys: Equatable, Sendable, CustomStringConvertible {
  /// The signer key of a Firebase project; nil where none is configured.
  let firebase: [UInt8]?

  /// Bytes of a signer key. Google's have 64; each hash value is as long as its project's key.
  static let firebaseLengths = PasswordHashFormat.minimumTagLength...128

  /// None.
  package init() { firebase = nil }

  /// Whether each key that a hash needs is taken for there.
  private(set) var areAssumed = false

  /// No keys, for a reader that cannot know which the configuration has: a hash is not refused for want of one.
  package static let assumed: ForeignKeys = {
    var keys = ForeignKeys()
    keys.areAssumed = true
    return keys
  }()

  /// - Parameter firebase: `base64_signer_key` as the Firebase console shows it: base64 of RFC 4648 §4 with its padding.
  /// - Returns: Nil for another text.
  package init?(firebase: String) {
    let text = Array(firebase.utf8)
    guard let key = try? PasswordHashFields.padded(text[...], .tag), Self.firebaseLengths.contains(key.count)
    else { return nil }
    self.firebase = key
  }

  package var description: String { "(keys)" }
}
