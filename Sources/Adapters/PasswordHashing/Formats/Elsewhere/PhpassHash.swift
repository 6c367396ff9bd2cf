internal import Sentences

/// `$P$` or `$H$`, one digit for the doublings of the work, 8 of salt and 22 of value, as PHP's phpass makes it: WordPress until
/// version 6.8, phpBB, Drupal 7's oldest.
struct PhpassHash: ForeignHash {
  /// MD5 is done two to the power of this often.
  let logCount: Int
  let salt: [UInt8]
  let tag: [UInt8]

  /// A tenth of a second of a core, and two for the longest password; WordPress has 13.
  static let maximumLogCount = 18
  /// Bytes of a password, each of which is gone through as often as the rest; phpass takes none that is longer either.
  static let longestPassword = 4096

  /// - Returns: Nil for another scheme.
  init?(scheme: String, _ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
    guard scheme == "P" || scheme == "H" else { return nil }
    guard fields.count == 1, let digits = fields.first, digits.count == 31 else {
      throw .malformed(.fields, expected: .hash(.expectedPhpass, ["form": "$\(scheme)$"]))
    }
    guard let cost = digits.first.flatMap(CryptDigits.value), (7...30).contains(cost) else {
      throw .malformed(.cost, expected: .hash(.expectedDoublings))
    }
    logCount = cost
    // the salt is its characters, and not what they might stand for
    salt = Array(digits.dropFirst().prefix(8))
    guard let tag = CryptDigits.decode(digits.dropFirst(9)) else {
      throw .malformed(.tag, expected: .hash(.expectedCryptValue, ["count": 22]))
    }
    self.tag = tag
  }

  func requireBearableCost() throws(PasswordHashFault) {
    try PasswordHashFormat.require(.cost, logCount, atMost: Self.maximumLogCount)
  }

  var milliseconds: Int { (1 << logCount) / 4000 }
}
