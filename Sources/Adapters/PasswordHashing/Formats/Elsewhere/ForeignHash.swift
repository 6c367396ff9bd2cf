internal import Registration

/// A password hash that another system made. regd verifies such hashes but never makes one. Usually the owner's next
/// sign-in replaces it by regd's own.
protocol ForeignHash: Sendable, CustomStringConvertible {
  /// Loads the library that the hash needs, if any, and refuses the hash if the library is missing.
  func requireLibrary() throws(PasswordHashFault)

  /// Refuses the hash if it needs a key that is not configured.
  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault)

  /// Refuses a hash that proves nothing because its salt or value is too short.
  func requireStrength() throws(PasswordHashFault)

  /// Refuses a hash whose comparison would take more time or memory than a sign-in may. Looks only at the parameters.
  func requireBearableCost() throws(PasswordHashFault)

  /// Estimates how long a comparison takes, in milliseconds of one core of the 2020s.
  var milliseconds: Int { get }

  /// Whether the hash depends on every byte of the password.
  func seesAll(of password: Password) -> Bool

  /// How the systems that write such hashes escape a password before they hash it.
  var escapes: [PasswordEscape] { get }

  /// Whether the hash was made from `password`. Takes the memory and the time that the hash's parameters demand.
  func compare(with password: Password, _ keys: ForeignKeys) -> Comparison
}

extension ForeignHash {
  var description: String { "(password hash)" }

  func requireLibrary() throws(PasswordHashFault) {}

  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault) {}

  func requireStrength() throws(PasswordHashFault) {}

  func seesAll(of password: Password) -> Bool { true }

  var escapes: [PasswordEscape] { [] }
}

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

/// `$argon2i$v=19$m=…,t=…,p=…$salt$tag` (RFC 9106): Argon2 whose memory accesses do not depend on the password.
struct Argon2iHash: ForeignHash {
  let argon2: PasswordHashFormat.Argon2id

  /// - Parameter fields: The fields after the scheme's name.
  init(_ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
    argon2 = try PasswordHashFormat.Argon2id(fields)
  }

  func requireStrength() throws(PasswordHashFault) {
    try PasswordHashFormat.requireStrength(salt: argon2.salt, tag: argon2.tag)
  }

  func requireBearableCost() throws(PasswordHashFault) { try argon2.requireBearableCost() }

  var escapes: [PasswordEscape] { [.slashes, .entities] }

  var milliseconds: Int { argon2.memoryKiB * argon2.passes / 1024 }
}
