internal import CSodium
internal import Localization
package import Registration

/// Reads password hashes as text: the PHC string format (github.com/P-H-C/phc-string-format), bcrypt's older form, and
/// the forms of other systems (`ForeignHash`).
///
/// Reading is strict, so that a hash has one spelling and an accepted hash can be verified later. The memory for reading does not
/// depend on the parameters in the text.
package struct PasswordHashFormat: PasswordHashReader {
  enum Scheme: Sendable, CustomStringConvertible {
    case argon2id(Argon2id)
    case bcrypt(Bcrypt)
    case scrypt(Scrypt)
    case foreign(any ForeignHash)

    var description: String { "(password hash)" }
  }

  /// The most bytes of a whole hash. The longest useful one, argon2id with 64 bytes each of salt and value, has about
  /// 220.
  static let maximumLength = 512
  /// The least bytes of salt. RFC 9106 §4: 16 suffice for all uses, and 8 if space is scarce.
  static let minimumSaltLength = 8
  /// The least bytes of the tag. They are enough for most purposes (RFC 9106 §4).
  static let minimumTagLength = 16

  private let keys: ForeignKeys

  /// - Parameter keys: The configured keys. A hash that needs a missing one is refused.
  package init(keys: ForeignKeys = ForeignKeys()) { self.keys = keys }

  package func check(_ text: String) -> Result<PasswordHash, PasswordHashProblem> {
    Result { () throws(PasswordHashFault) in
      let scheme = try Self.parse(text)
      try scheme.requireMeans(keys)
      try scheme.requireStrength()
      try scheme.requireBearableCost()
      return PasswordHash(phc: text)
    }.mapError(\.problem)
  }

  /// Reads a hash from the store. Unlike `check`, it accepts argon2id with one lane at any cost, because regd itself
  /// may have made such a hash, with the parameters that an operator had configured.
  ///
  /// - Returns: The parsed hash. A failure means that the store is damaged, or that the hash needs a key that is no
  ///   longer configured.
  static func read(_ hash: PasswordHash, _ keys: ForeignKeys = ForeignKeys()) -> Result<Scheme, PasswordHashProblem> {
    Result { () throws(PasswordHashFault) in
      let scheme = try parse(hash.phc)
      if case .foreign(let hash) = scheme { try hash.requireKey(in: keys) }
      try scheme.requireStrength()
      if case .argon2id(let own) = scheme, own.lanes == 1 { return scheme }
      try scheme.requireBearableCost()
      return scheme
    }.mapError(\.problem)
  }

  private static func parse(_ text: String) throws(PasswordHashFault) -> Scheme {
    guard !text.isEmpty else { throw .missing }
    guard text.utf8.count <= maximumLength else {
      throw .malformed(.text, expected: .hash(.expectedLength, ["limit": .number(maximumLength)]))
    }
    guard text.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }) else {
      throw .malformed(.text, expected: .hash(.expectedASCII))
    }
    guard let spelling = PasswordHashSpelling(text) else { throw .unsupported(scheme: nil) }
    guard let (scheme, hash) = spelling.known else {
      throw .unsupported(scheme: otherSchemes.contains(spelling.key) ? spelling.key : nil)
    }
    let rest = Array(hash.rest.utf8)
    return try parse(
      hash, scheme, rest, rest.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)[...])
  }

  private static func parse(
    _ hash: PasswordHashSpelling, _ scheme: PasswordHashScheme, _ rest: [UInt8],
    _ fields: ArraySlice<PasswordHashFields.Field>
  ) throws(PasswordHashFault) -> Scheme {
    switch scheme {
    case .argon2id: .argon2id(try Argon2id(fields))
    case .argon2i: .foreign(try Argon2iHash(fields))
    case .bcrypt: .bcrypt(try Bcrypt(hash.text, fields))
    case .bcryptSHA256: .foreign(PrehashedBcrypt(django: try Bcrypt(hash.text, fields)))
    case .bcryptSHA384: .foreign(try PrehashedBcrypt(wordPress: hash.text, fields))
    case .scrypt: .scrypt(hash.form == .django ? try Scrypt(django: fields) : try Scrypt(fields))
    case .firebase: .foreign(try FirebaseHash(fields))
    case .sha256Crypt: .foreign(try CryptHash(hash, fields, value: 43))
    case .sha512Crypt: .foreign(try CryptHash(hash, fields, value: 86))
    case .yescrypt: .foreign(try CryptHash(yescrypt: hash, fields))
    case .phpass: .foreign(try PhpassHash(hash, fields))
    case .pbkdf2SHA1: .foreign(try PBKDF2Hash(.sha1, hash, fields))
    case .pbkdf2SHA256: .foreign(try PBKDF2Hash(.sha256, hash, fields))
    case .pbkdf2SHA512: .foreign(try PBKDF2Hash(.sha512, hash, fields))
    case .saltedSHA1: .foreign(try SaltedDigestHash(.sha1, rest))
    case .saltedSHA256: .foreign(try SaltedDigestHash(.sha256, rest))
    case .saltedSHA512: .foreign(try SaltedDigestHash(.sha512, rest))
    }
  }

  /// The schemes that regd knows but refuses, by their names in crypt(5), Python's passlib, Django and LDAP
  /// directories. An error message may show such a name, but never an unknown name.
  private static let otherSchemes: Set<String> = [
    "argon2d", "2", "2x", "bcrypt-sha256", "1", "apr1", "md5", "3", "7", "8", "gy", "sha1", "S", "unsalted_md5",
    "unsalted_sha1", "{MD5}", "{SMD5}", "{SHA}", "{SHA256}", "{SHA512}", "{CLEARTEXT}",
  ]
}

extension PasswordHashFormat.Scheme {
  fileprivate func requireStrength() throws(PasswordHashFault) {
    switch self {
    case .argon2id(let hash): try PasswordHashFormat.requireStrength(salt: hash.salt, tag: hash.tag)
    case .bcrypt: break  // 16 bytes of salt and 23 of value, always
    case .scrypt(let hash): try PasswordHashFormat.requireStrength(salt: hash.salt, tag: hash.tag)
    case .foreign(let hash): try hash.requireStrength()
    }
  }

  /// Refuses a hash that regd cannot verify for lack of a key or of a library.
  fileprivate func requireMeans(_ keys: ForeignKeys) throws(PasswordHashFault) {
    guard case .foreign(let hash) = self else { return }
    try hash.requireKey(in: keys)
    try hash.requireLibrary()
  }

  fileprivate func requireBearableCost() throws(PasswordHashFault) {
    switch self {
    case .argon2id(let hash): try hash.requireBearableCost()
    case .bcrypt(let hash): try hash.requireBearableCost()
    case .scrypt(let hash): try hash.requireBearableCost()
    case .foreign(let hash): try hash.requireBearableCost()
    }
  }

  /// Estimates how long a comparison takes, in milliseconds of one core of the 2020s: 1 ms per MiB and pass of
  /// Argon2id, 3 ms per MiB of scrypt, 50 microseconds per round of bcrypt. The estimate only decides whether the
  /// comparison goes to the queue of slow hashes.
  var milliseconds: Int {
    switch self {
    case .argon2id(let hash): hash.memoryKiB * hash.passes / 1024
    case .bcrypt(let hash): (1 << hash.cost) / 20
    case .scrypt(let hash): ((1 << hash.logN) / 1024 * hash.blockSize * hash.parallelism) / 8 * 3
    case .foreign(let hash): hash.milliseconds
    }
  }
}

extension PasswordHashFormat {
  static func requireStrength(salt: [UInt8], tag: [UInt8]) throws(PasswordHashFault) {
    guard salt.count >= minimumSaltLength else {
      throw .tooWeak(.salt, bytes: salt.count, least: minimumSaltLength)
    }
    guard tag.count >= minimumTagLength else { throw .tooWeak(.tag, bytes: tag.count, least: minimumTagLength) }
  }

  /// Throws `tooCostly` if a value exceeds its bound.
  static func require(
    _ part: PasswordHashFault.Part, _ value: Int, atMost bound: Int
  ) throws(PasswordHashFault) {
    guard value <= bound else { throw .tooCostly(part, value: value, bound: bound) }
  }

  /// `$argon2id$v=19$m=…,t=…,p=…$salt$tag` (RFC 9106). v=19 is version 1.3.
  struct Argon2id: Equatable, Sendable, CustomStringConvertible {
    /// The memory in KiB, at least 8 times the lanes.
    let memoryKiB: Int
    /// Passes over that memory, 1 or more.
    let passes: Int
    /// Independent parts of the memory, 1 or more. regd computes all of them on one thread, so they do not affect the cost.
    /// Some systems use two for each core.
    let lanes: Int
    let salt: [UInt8]
    let tag: [UInt8]

    var description: String { "(password hash)" }

    /// KiB: 256 MiB, which a comparison holds while it runs. Well above the 64 MiB of RFC 9106 §4 (second
    /// recommendation) and of the usual libraries.
    static let maximumMemoryKiB = 262_144
    /// More than anybody recommends: OWASP and RFC 9106 ask for 1 to 5.
    static let maximumPasses = 16
    /// KiB times passes: 1 GiB of memory traffic, about a second of one core.
    static let maximumMemoryTimesPasses = 1_048_576

    /// Bytes of the tag (the derived value) in regd's own hashes, which libsodium's `crypto_pwhash_str` makes
    /// (STR_HASHBYTES).
    static let ownTagLength = 32

    /// Makes a hash with one lane, like the hashes that regd makes.
    init(memoryKiB: Int, passes: Int, salt: [UInt8], tag: [UInt8]) {
      (self.memoryKiB, self.passes, self.salt, self.tag) = (memoryKiB, passes, salt, tag)
      lanes = 1
    }

    /// - Parameter fields: The fields after the scheme's name.
    init(_ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
      var fields = fields
      guard let version = fields.popFirst(), version.starts(with: "v=".utf8) else {
        throw .malformed(.version, expected: .hash(.expectedVersionGiven))
      }
      guard version.elementsEqual("v=19".utf8) else {
        throw .malformed(.version, expected: .hash(.expectedVersion))
      }
      guard fields.count == 3, let parameters = fields.popFirst(), let salt = fields.popFirst(),
        let tag = fields.popFirst()
      else { throw .malformed(.fields, expected: "$argon2id$v=19$parameters$salt$value") }
      let numbers = try PasswordHashFields.numbers(
        in: parameters, [("m", .memory), ("t", .passes), ("p", .lanes)])
      (memoryKiB, passes, lanes) = (numbers[0], numbers[1], numbers[2])
      self.salt = try PasswordHashFields.bytes(in: salt, .salt)
      self.tag = try PasswordHashFields.bytes(in: tag, .tag)
      guard memoryKiB >= 8 * lanes else { throw .malformed(.memory, expected: .hash(.expectedMemory)) }
    }

    func requireBearableCost() throws(PasswordHashFault) {
      try PasswordHashFormat.require(.memory, memoryKiB, atMost: Self.maximumMemoryKiB)
      try PasswordHashFormat.require(.passes, passes, atMost: Self.maximumPasses)
      try PasswordHashFormat.require(
        .memoryTimesPasses, memoryKiB * passes, atMost: Self.maximumMemoryTimesPasses)
    }
  }
}

/// Parsers of a password hash's fields: named numbers, and bytes in base64.
enum PasswordHashFields {
  /// The bytes between two dollar signs.
  typealias Field = ArraySlice<UInt8>

  /// Parses `name=number,name=number` with exactly these names, in this order.
  static func numbers(
    in field: Field, _ names: [(name: String, part: PasswordHashFault.Part)]
  ) throws(PasswordHashFault) -> [Int] {
    let pairs = field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let isComplete =
      pairs.count == names.count && zip(pairs, names).allSatisfy { $0.starts(with: "\($1.name)=".utf8) }
    guard isComplete else {
      let form = names.map { "\($0.name)=…" }.joined(separator: ",")
      throw .malformed(.parameters, expected: .hash(.expectedParameters, ["form": .text(form)]))
    }
    var numbers: [Int] = []
    for (pair, (name, part)) in zip(pairs, names) {
      numbers.append(try wholeNumber(pair.dropFirst(name.utf8.count + 1), part))
    }
    return numbers
  }

  /// Parses a number from 1 to 999999999.
  static func wholeNumber(_ digits: Field, _ part: PasswordHashFault.Part) throws(PasswordHashFault) -> Int {
    guard let number = number(digits) else {
      throw .malformed(
        part, expected: .hash(.expectedNumber))
    }
    return number
  }

  /// Decodes base64 of RFC 4648 §4 with padding.
  static func padded(_ field: Field, _ part: PasswordHashFault.Part) throws(PasswordHashFault) -> [UInt8] {
    let padding = (4 - field.count % 4) % 4
    let digits = field.prefix { $0 != UInt8(ascii: "=") }
    guard padding == 0, field.count - digits.count <= 2,
      field.dropFirst(digits.count).allSatisfy({ $0 == UInt8(ascii: "=") }), let bytes = decode(digits)
    else {
      throw .malformed(part, expected: .hash(.expectedPaddedBase64))
    }
    return bytes
  }

  /// Parses a number from 1 to 999999999. Returns nil for any other text. The product of two such numbers fits into an Int.
  private static func number(_ digits: Field) -> Int? {
    guard (1...9).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
    var number = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }

  /// Decodes the salt or the value of a PHC string: base64 of RFC 4648 §4 without padding.
  static func bytes(
    in field: Field, _ part: PasswordHashFault.Part
  ) throws(PasswordHashFault) -> [UInt8] {
    guard let bytes = decode(field) else {
      throw .malformed(part, expected: .hash(.expectedBase64))
    }
    return bytes
  }

  /// Decodes unpadded base64 of the standard alphabet with libsodium. Returns nil for anything else. Unused bits at the end must
  /// be zero, so that no two texts give the same bytes (RFC 4648 §3.5).
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    let characters = text.map { CChar(bitPattern: $0) }
    var bytes = [UInt8](repeating: 0, count: characters.count)
    var count = 0
    let failure = sodium_base642bin(
      &bytes, bytes.count, characters, characters.count, nil, &count, nil, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
    return failure == 0 ? Array(bytes.prefix(count)) : nil
  }
}
