internal import Registration

/// Identifies a hash's kind by its beginning, without asking regd: for summaries, and to refuse hashes that no regd
/// accepts.
package enum HashFamily {
  /// The scheme of a hash, or nil if its beginning is unknown.
  package static func name(_ hash: String) -> String? {
    PasswordHashSpelling(hash)?.known?.scheme.rawValue
  }

  /// Names the kind of a hash that is made with MD5, SHA-1 or SHA-2 alone, in one or a few rounds. Against such a hash,
  /// an attacker can try billions of passwords per second.
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

  private static let fast = [
    ("$1$", "md5-crypt"), ("$apr1$", "Apache's MD5"), ("$md5-crypt$", "md5-crypt"), ("$md5", "MD5"),
    ("md5$", "salted MD5"), ("sha1$", "salted SHA-1 (Django)"), ("{MD5}", "MD5"), ("{SMD5}", "salted MD5"),
    ("{SHA}", "SHA-1"), ("{SHA256}", "SHA-256"), ("{SHA512}", "SHA-512"), ("$sha1$pf", "SHA-1"),
    ("$sha256$pf", "SHA-256"), ("$sha512$pf", "SHA-512"), ("$hmac-", "HMAC"), ("$SHA$", "SHA-256"),
  ]
}
