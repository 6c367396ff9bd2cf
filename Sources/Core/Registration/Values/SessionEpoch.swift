/// The period in which the sign-ins of an account hold: each change that ends all sign-ins of an account gives it
/// another epoch. The stamps that callers get depend on it (`SessionStamps`). No epoch recurs, because later ones are
/// random.
package struct SessionEpoch: Hashable, Sendable, CustomStringConvertible {
  /// The epoch's text in stores; nil for an account that is older than epochs.
  package let text: String?

  package init(stored text: String?) { self.text = text }

  /// The epoch of an account that was registered here, until its first sign-out. An account from elsewhere has another
  /// one, because its id may have existed here before.
  package static let first = SessionEpoch(stored: "first")

  package static func random() -> SessionEpoch {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    let bits = UInt128.random(in: .min ... .max, using: &random)
    return SessionEpoch(stored: String(decoding: (0..<32).map { digits[Int(bits >> ($0 * 4) & 15)] }, as: UTF8.self))
  }

  package var description: String { "(epoch)" }
}
