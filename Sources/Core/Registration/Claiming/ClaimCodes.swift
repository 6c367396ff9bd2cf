/// Makes the codes of claims and compares them. A code is stored nowhere: it consists of digits of a keyed hash (HMAC-SHA-256,
/// RFC 2104) of the claim's id and the number of the code. So regd can mail the same code again, and the store's content is
/// useless without the key.
package struct ClaimCodes: Sendable {
  private let hashing: any CodeHashing
  private let key: @Sendable () -> CodeKey

  /// - Parameter key: Returns the store's key. Called each time, because a move may bring another store.
  package init(_ hashing: any CodeHashing, key: @escaping @Sendable () -> CodeKey) {
    self.hashing = hashing
    self.key = key
  }

  /// The claim's present code: `claim.digits` decimal digits. They come from 64 bits of the hash, so all codes of up to
  /// 12 digits are equally likely, to within one part in ten million (RFC 4226 section 5.3 takes 31 bits).
  package func code(of claim: AddressClaim) -> String {
    let hash = hashing.hash(Array("\(claim.id) \(claim.generation)".utf8), key: key())
    var number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var digits: [UInt8] = []
    for _ in 0..<claim.digits {
      digits.append(UInt8(ascii: "0") + UInt8(number % 10))
      number /= 10
    }
    return String(decoding: digits.reversed(), as: UTF8.self)
  }

  /// Whether this is the claim's present code. Takes the same time for every text of the right form.
  ///
  /// - Parameter digits: The result of `digits(of:)`.
  package func isRight(_ digits: String, for claim: AddressClaim) -> Bool {
    hashing.areEqual(Array(digits.utf8), Array(code(of: claim).utf8))
  }

  /// The code of a mailed invitation, which is the same each time its mail is sent.
  package func code(ofInvitation id: InvitationID) -> InvitationCode {
    InvitationCode(hashing.hash(Array("invitation \(id)".utf8), key: key()))
  }

  package func digest(of code: InvitationCode) -> InvitationDigest { InvitationDigest(hashing.digest(code.bytes)) }

  /// The digest of a typed code. A text that is not a code gets a digest that no code has.
  func digest(of typed: String) -> InvitationDigest {
    if let code = InvitationCode(typed) { return digest(of: code) }
    return InvitationDigest(hashing.digest(Array("no code".utf8)))
  }

  /// The typed code in plain digits, without spaces, hyphens and invisible characters (`TypedCharacter`), or nil if the
  /// rest is not exactly `count` digits.
  package static func digits(of typed: String, _ count: Int) -> String? {
    var digits: [UInt8] = []
    for scalar in typed.unicodeScalars {
      switch TypedCharacter(scalar) {
      case .ignored: continue
      case .plain(let byte):
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, digits.count < count else { return nil }
        digits.append(byte)
      case .other: return nil
      }
    }
    return digits.count == count ? String(decoding: digits, as: UTF8.self) : nil
  }
}
