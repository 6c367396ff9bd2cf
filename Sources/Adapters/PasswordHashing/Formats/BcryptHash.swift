internal import Sentences

extension PasswordHashFormat {
  /// `$2b$cost$` and then 22 characters of salt and 31 of value (crypt(5)). `$2a$` and `$2y$` are the same for what is
  /// UTF-8; `$2x$`, which keeps a mistake that was found in 2011, is not taken.
  struct Bcrypt: Equatable, Sendable, CustomStringConvertible {
    /// Doublings of the work; 4 to 31.
    let cost: Int
    /// The whole hash in ASCII, 60 bytes: what crypt(3) takes and gives.
    let text: String

    var description: String { "(password hash)" }

    /// Bytes of a password that count; bcrypt takes no notice of those behind.
    static let passwordLength = 72
    /// Some four seconds of a core; OWASP asks for 10 or more, and each one more doubles the time. Memory is 4 KiB with
    /// any.
    static let maximumCost = 16

    /// - Parameter fields: Those behind the scheme's name.
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

    /// crypt(3) writes the bits that are left over as zeros, so that a hash that has others could never be right.
    private static func requireCanonical(
      _ text: PasswordHashFields.Field, _ part: PasswordHashFault.Part
    ) throws(PasswordHashFault) {
      let digits = text.compactMap { standardDigits[$0] }
      guard digits.count == text.count, PasswordHashFields.decode(digits) != nil else {
        throw .malformed(part, expected: .hash(.expectedBcryptBase64))
      }
    }

    /// The digits of the standard alphabet, by those of bcrypt's.
    private static let standardDigits = [UInt8: UInt8](
      uniqueKeysWithValues: zip(
        "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8,
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8))
  }
}
