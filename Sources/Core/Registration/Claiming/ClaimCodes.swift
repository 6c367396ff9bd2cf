/// Makes the codes of claims and compares them. A code is nowhere kept: it is the digits of a keyed hash (HMAC-SHA-256, RFC 2104) of
/// the claim's id and the number of the code, so that the same code can be mailed again, and what is in the store is of no use without
/// the key.
package struct ClaimCodes: Sendable {
  private let hashing: any CodeHashing
  private let key: @Sendable () -> CodeKey

  /// - Parameter key: The store's; asked for each time, for a move may bring another store.
  package init(_ hashing: any CodeHashing, key: @escaping @Sendable () -> CodeKey) {
    self.hashing = hashing
    self.key = key
  }

  /// The code that the claim has now: as many decimal digits as it says. Of 64 bits of the hash, so that no code is likelier than
  /// another by more than one part in a hundred million (RFC 4226 section 5.3 takes 31 bits).
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

  /// Whether this is the code that the claim has now. Takes as long for every text of the right shape.
  ///
  /// - Parameter digits: As `digits(of:)` gives them.
  package func isRight(_ digits: String, for claim: AddressClaim) -> Bool {
    hashing.areEqual(Array(digits.utf8), Array(code(of: claim).utf8))
  }

  /// What was typed for a code without spaces and hyphens, by which people group digits; nil if something else than `count` digits is
  /// left.
  package static func digits(of typed: String, _ count: Int) -> String? {
    let kept = typed.unicodeScalars.lazy.filter { !($0 == "-" || $0.properties.isWhitespace) }.prefix(count + 1)
    guard kept.count == count, kept.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    return String(String.UnicodeScalarView(kept))
  }
}
