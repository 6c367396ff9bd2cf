internal import Localization

extension PasswordHashFormat {
  /// `$2b$cost$`, then 22 characters of salt and 31 of value (crypt(5)). For UTF-8, `$2a$` and `$2y$` mean the same.
  /// regd refuses `$2x$`, which reproduces a bug found in 2011.
  struct Bcrypt: Equatable, Sendable, CustomStringConvertible {
    /// The binary logarithm of the number of rounds, 4 to 31.
    let cost: Int
    /// The whole hash in ASCII, 60 bytes: crypt(3)'s input and output.
    let text: String

    var description: String { "(password hash)" }

    /// How many bytes of a password count. bcrypt ignores the rest.
    static let passwordLength = 72
    /// About four seconds of one core. OWASP asks for 10 or more. Each step doubles the time. bcrypt uses 4 KiB of
    /// memory at any cost.
    static let maximumCost = 16

    /// - Parameter fields: The fields after the scheme's name.
    init(_ text: String, _ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
      var fields = fields
      guard fields.count == 2, let cost = fields.popFirst(), let bytes = fields.popFirst() else {
        throw .malformed(.fields, expected: .hash(.expectedBcrypt, ["form": "$2b$cost$"]))
      }
      let digits = cost.map { Int($0) - Int(UInt8(ascii: "0")) }
      guard digits.count == 2, digits.allSatisfy((0...9).contains), (4...31).contains(digits[0] * 10 + digits[1]) else {
        throw .malformed(.cost, expected: .hash(.expectedCost))
      }
      guard bytes.count == 53 else {
        throw .malformed(.fields, expected: .hash(.expectedBcryptLengths))
      }
      try Self.requireCanonical(bytes.prefix(22), .salt)
      try Self.requireCanonical(bytes.dropFirst(22), .tag)
      self.cost = digits[0] * 10 + digits[1]
      self.text = text
    }

    func requireBearableCost() throws(PasswordHashFault) {
      try PasswordHashFormat.require(.cost, cost, atMost: Self.maximumCost)
    }

    /// Refuses unused bits that are not 0. crypt(3) writes zeros there, so no password would match such a hash.
    private static func requireCanonical(
      _ text: PasswordHashFields.Field, _ part: PasswordHashFault.Part
    ) throws(PasswordHashFault) {
      let digits = text.compactMap { standardDigits[$0] }
      guard digits.count == text.count, PasswordHashFields.decode(digits) != nil else {
        throw .malformed(part, expected: .hash(.expectedBcryptBase64))
      }
    }

    /// Maps bcrypt's base64 digits to those of the standard alphabet.
    private static let standardDigits = [UInt8: UInt8](
      uniqueKeysWithValues: zip(
        "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8,
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8))
  }
}
