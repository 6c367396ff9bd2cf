internal import Localization

/// A hash of Firebase's modified scrypt. The value is the project's signer key, encrypted under a key that scrypt
/// derives from the password.
///
/// `$fbscrypt$v=1,n=14,r=8,p=1,ss=…$salt$value`, as Supabase's Auth writes it, but without the signer key. That key is
/// a secret of the whole project, so the operator configures it once.
struct FirebaseHash: ForeignHash {
  let scrypt: PasswordHashFormat.Scrypt
  /// The project's salt separator, appended to each salt.
  let separator: [UInt8]

  /// - Parameter fields: The fields after the scheme's name.
  init(_ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
    let form = "v=1,n=…,r=…,p=1,ss=…"
    guard fields.count == 3, let parameters = fields.first else {
      throw .malformed(.fields, expected: "$fbscrypt$\(form)$salt$value")
    }
    let pairs = parameters.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard pairs.count == 5, pairs[0].elementsEqual("v=1".utf8), pairs[1].starts(with: "n=".utf8),
      pairs[2].starts(with: "r=".utf8), pairs[3].elementsEqual("p=1".utf8), pairs[4].starts(with: "ss=".utf8)
    else { throw .malformed(.parameters, expected: .hash(.expectedParameters, ["form": .text(form)])) }
    separator = try PasswordHashFields.padded(pairs[4].dropFirst(3), .separator)
    scrypt = try PasswordHashFormat.Scrypt(
      logN: PasswordHashFields.wholeNumber(pairs[1].dropFirst(2), .logN),
      blockSize: PasswordHashFields.wholeNumber(pairs[2].dropFirst(2), .blockSize), parallelism: 1,
      salt: PasswordHashFields.padded(fields[fields.startIndex + 1], .salt),
      tag: PasswordHashFields.padded(fields[fields.startIndex + 2], .tag))
  }

  /// Refuses the hash if no signer key is configured. Also refuses a tag whose length differs from the key's, because
  /// another project's key made such a hash.
  func requireKey(in keys: ForeignKeys) throws(PasswordHashFault) {
    if keys.areAssumed { return }
    guard let key = keys.firebase else { throw .missingKey(scheme: "fbscrypt", setting: "hashing.firebaseKey") }
    guard scrypt.tag.count == key.count else {
      throw .malformed(.tag, expected: .hash(.expectedKeyLength, ["count": .number(key.count)]))
    }
  }

  func requireStrength() throws(PasswordHashFault) {
    try PasswordHashFormat.requireStrength(salt: scrypt.salt, tag: scrypt.tag)
  }

  func requireBearableCost() throws(PasswordHashFault) { try scrypt.requireBearableCost() }

  var milliseconds: Int { PasswordHashFormat.Scheme.scrypt(scrypt).milliseconds }
}
