internal import Localization
internal import Registration

/// `$P$` or `$H$`, one digit for the binary logarithm of the rounds, 8 of salt and 22 of value, as PHP's phpass writes it:
/// WordPress before 6.8, phpBB, the oldest hashes of Drupal 7.
struct PhpassHash: ForeignHash {
  /// The binary logarithm of the rounds of MD5.
  let logCount: Int
  let salt: [UInt8]
  let tag: [UInt8]
  /// Whether phpBB wrote the hash, which begins with `$H$` there.
  private let isOfPhpBB: Bool

  /// A tenth of a second of one core, and two seconds for the longest password. WordPress uses 13.
  static let maximumLogCount = 18
  /// The limit in bytes, because every round reads the whole password. phpass has the same limit.
  static let longestPassword = 4096

  init(_ hash: PasswordHashSpelling, _ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
    guard fields.count == 1, let digits = fields.first, digits.count == 31 else {
      throw .malformed(.fields, expected: .hash(.expectedPhpass, ["form": .text("$\(hash.name)$")]))
    }
    guard let cost = digits.first.flatMap(CryptDigits.value), (7...30).contains(cost) else {
      throw .malformed(.cost, expected: .hash(.expectedDoublings))
    }
    logCount = cost
    isOfPhpBB = hash.name == "H"
    // the salt is the characters themselves, and not the bytes that they encode
    salt = Array(digits.dropFirst().prefix(8))
    guard let tag = CryptDigits.decode(digits.dropFirst(9)) else {
      throw .malformed(.tag, expected: .hash(.expectedCryptValue, ["count": 22]))
    }
    self.tag = tag
  }

  func requireBearableCost() throws(PasswordHashFault) {
    try PasswordHashFormat.require(.cost, logCount, atMost: Self.maximumLogCount)
  }

  var escapes: [PasswordEscape] { isOfPhpBB ? [.trim, .entities] : [.trim, .slashes] }

  var milliseconds: Int { (1 << logCount) / 4000 }
}
