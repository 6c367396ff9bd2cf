internal import Localization
internal import Registration

/// A hash of crypt(3) that crypt(5) describes, other than bcrypt: sha256-crypt, sha512-crypt or yescrypt.
struct CryptHash: ForeignHash {
  /// The whole hash in ASCII: crypt(3)'s input and output.
  let text: String
  private let cost: Cost

  private enum Cost {
    case rounds(Int)
    /// The binary logarithm of the number of blocks, and the block size in units of 128 bytes.
    case yescrypt(logN: Int, blockSize: Int)
  }

  /// Some seconds of one core for the longest password, because each round reads the password. crypt(5) gives 5000 as
  /// the default. Python's passlib uses 656,000.
  static let maximumRounds = 2_000_000

  /// Parses a hash of sha256-crypt or sha512-crypt.
  ///
  /// - Parameter length: The number of characters that the hash value must have.
  init(
    _ hash: PasswordHashSpelling, _ fields: ArraySlice<PasswordHashFields.Field>, value length: Int
  ) throws(PasswordHashFault) {
    (text, cost) = (hash.text, .rounds(try Self.rounds(hash.name, fields, value: length)))
  }

  init(
    yescrypt hash: PasswordHashSpelling, _ fields: ArraySlice<PasswordHashFields.Field>
  ) throws(PasswordHashFault) {
    (text, cost) = (hash.text, try Self.yescrypt(fields))
  }

  private static func rounds(
    _ scheme: String, _ fields: ArraySlice<PasswordHashFields.Field>, value length: Int
  ) throws(PasswordHashFault) -> Int {
    var fields = fields
    var rounds = 5000
    if let first = fields.first, first.starts(with: "rounds=".utf8) {
      rounds = try PasswordHashFields.wholeNumber(first.dropFirst(7), .rounds)
      guard rounds >= 1000 else { throw .malformed(.rounds, expected: .hash(.expectedRounds)) }
      fields.removeFirst()
    }
    guard fields.count == 2, let salt = fields.first, let value = fields.last else {
      throw .malformed(.fields, expected: "$\(scheme)$[rounds=…$]salt$value")
    }
    // crypt(3) refuses a salt with one of these characters
    guard (1...16).contains(salt.count), salt.allSatisfy({ !"!*:;\\".utf8.contains($0) }) else {
      throw .malformed(.salt, expected: .hash(.expectedCryptSalt))
    }
    try require(value, length)
    return rounds
  }

  /// Parses the fields of a yescrypt hash. Accepts only parameters of three digits, which all known writers use: the
  /// flavour of version 1, N and r.
  private static func yescrypt(
    _ fields: ArraySlice<PasswordHashFields.Field>
  ) throws(PasswordHashFault) -> Cost {
    guard fields.count == 3, let parameters = fields.first, let value = fields.last else {
      throw .malformed(.fields, expected: "$y$parameters$salt$value")
    }
    let digits = parameters.compactMap(CryptDigits.value)
    // A digit of 48 or more begins a number of several digits, which would demand too much memory. yescrypt allows no N
    // below 4.
    guard parameters.count == 3, digits.count == 3, parameters.first == UInt8(ascii: "j"), (1...47).contains(digits[1]),
      (0...47).contains(digits[2])
    else { throw .malformed(.parameters, expected: .hash(.expectedYescryptParameters)) }
    let salt = fields[fields.startIndex + 1]
    guard (1...64).contains(CryptDigits.decode(salt)?.count ?? 0) else {
      throw .malformed(.salt, expected: .hash(.expectedYescryptSalt))
    }
    try require(value, 43)
    return .yescrypt(logN: digits[1] + 1, blockSize: digits[2] + 1)
  }

  private static func require(_ value: ArraySlice<UInt8>, _ length: Int) throws(PasswordHashFault) {
    guard value.count == length, CryptDigits.decode(value) != nil else {
      throw .malformed(.tag, expected: .hash(.expectedCryptValue, ["count": .number(length)]))
    }
  }

  func requireBearableCost() throws(PasswordHashFault) {
    switch cost {
    case .rounds(let rounds): try PasswordHashFormat.require(.rounds, rounds, atMost: Self.maximumRounds)
    case .yescrypt(let logN, let blockSize):
      try PasswordHashFormat.require(.logN, logN, atMost: PasswordHashFormat.Scrypt.maximumLogN)
      try PasswordHashFormat.require(
        .blocks, 128 * blockSize << logN, atMost: PasswordHashFormat.Scrypt.maximumMemory)
    }
  }

  var milliseconds: Int {
    switch cost {
    case .rounds(let rounds): rounds / 2500
    case .yescrypt(let logN, let blockSize): (128 * blockSize << logN) >> 20
    }
  }
}

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

/// The digits in which crypt(3), yescrypt and phpass write numbers and bytes: six bits each, the lowest first.
enum CryptDigits {
  private static let alphabet = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// The digit's value, 0 to 63, or nil for any other byte.
  static func value(of digit: UInt8) -> Int? { alphabet.firstIndex(of: digit) }

  /// Decodes bytes. Returns nil if a character is not a digit, if the last digit does not complete a byte, or if an unused
  /// bit is not 0, because no password matches such a hash value.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let digits = text.compactMap(value)
    guard digits.count == text.count, digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 4) {
      let group = digits[start..<min(start + 4, digits.count)]
      let value = group.reversed().reduce(0) { $0 << 6 | $1 }
      let count = group.count * 6 / 8
      guard value >> (8 * count) == 0 else { return nil }
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
    return bytes
  }
}
