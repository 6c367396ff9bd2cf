internal import Localization

extension PasswordHashFormat {
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
