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
