/// Identifies the kind of a hash by its beginning: for summaries, and to report hashes that no regd accepts without asking regd.
package enum HashFamily {
  /// - Returns: Nil for a hash without a known beginning.
  package static func name(_ hash: String) -> String? {
    for (beginning, name) in beginnings where hash.hasPrefix(beginning) { return name }
    guard hash.hasPrefix("{"), let end = hash.firstIndex(of: "}") else { return nil }
    let scheme = hash[...end].uppercased()
    guard let inner = wrapped[scheme] else { return directory[scheme] }
    let rest = hash[hash.index(after: end)...]
    return inner.contains(where: rest.hasPrefix) ? name(String(rest)) : nil
  }

  /// Names the kind of a hash that is made with MD5, SHA-1 or SHA-2 alone, in one or a few rounds: whoever has it can try
  /// thousands of millions of passwords per second.
  ///
  /// - Returns: Nil for any other text.
  static func tooFast(_ hash: String) -> String? {
    for (beginning, name) in fast where hash.hasPrefix(beginning) { return name }
    let isHexadecimal = hash.utf8.allSatisfy { byte in
      byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }
    guard isHexadecimal else { return nil }
    return [32: "MD5", 40: "SHA-1", 64: "SHA-256", 128: "SHA-512"][hash.utf8.count]
  }

  static let beginnings = [
    ("$argon2id$", "argon2id"), ("$argon2i$", "argon2i"), ("argon2$argon2id$", "argon2id"),
    ("argon2$argon2i$", "argon2i"), ("$2a$", "bcrypt"), ("$2b$", "bcrypt"), ("$2y$", "bcrypt"),
    ("bcrypt_sha256$$2a$", "bcrypt-sha256"), ("bcrypt_sha256$$2b$", "bcrypt-sha256"),
    ("bcrypt_sha256$$2y$", "bcrypt-sha256"), ("bcrypt$$2a$", "bcrypt"), ("bcrypt$$2b$", "bcrypt"),
    ("bcrypt$$2y$", "bcrypt"), ("$wp$", "bcrypt-hmac-sha384"),
    ("$scrypt$", "scrypt"), ("scrypt$", "scrypt"), ("$fbscrypt$", "firebase-scrypt"), ("$5$", "sha256-crypt"),
    ("$6$", "sha512-crypt"), ("$y$", "yescrypt"), ("$P$", "phpass"), ("$H$", "phpass"),
    ("$pbkdf2-sha512$", "pbkdf2-sha512"), ("$pbkdf2-sha256$", "pbkdf2-sha256"), ("$pbkdf2-sha1$", "pbkdf2-sha1"),
    ("$pbkdf2$", "pbkdf2-sha1"), ("pbkdf2_sha256$", "pbkdf2-sha256"), ("pbkdf2_sha1$", "pbkdf2-sha1"),
  ]

  /// The beginnings of hashes that regd accepts after a directory's own name for a scheme.
  static let wrapped = [
    "{CRYPT}": ["$2a$", "$2b$", "$2y$", "$5$", "$6$", "$y$"], "{ARGON2}": ["$argon2id$", "$argon2i$"],
  ]

  static let directory = [
    "{SSHA}": "salted SHA-1", "{SSHA256}": "salted SHA-256", "{SSHA512}": "salted SHA-512",
    "{PBKDF2}": "pbkdf2-sha1", "{PBKDF2-SHA1}": "pbkdf2-sha1", "{PBKDF2-SHA256}": "pbkdf2-sha256",
    "{PBKDF2-SHA512}": "pbkdf2-sha512",
  ]

  private static let fast = [
    ("$1$", "md5-crypt"), ("$apr1$", "Apache's MD5"), ("$md5-crypt$", "md5-crypt"), ("$md5", "MD5"),
    ("md5$", "salted MD5"), ("sha1$", "salted SHA-1 (Django)"), ("{MD5}", "MD5"), ("{SMD5}", "salted MD5"),
    ("{SHA}", "SHA-1"), ("{SHA256}", "SHA-256"), ("{SHA512}", "SHA-512"), ("$sha1$pf", "SHA-1"),
    ("$sha256$pf", "SHA-256"), ("$sha512$pf", "SHA-512"), ("$hmac-", "HMAC"), ("$SHA$", "SHA-256"),
  ]
}
