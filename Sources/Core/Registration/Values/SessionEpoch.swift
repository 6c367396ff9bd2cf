/// The time in which one and the same sign-in of an account holds: whatever ends all sign-ins of an account gives it another epoch. The
/// stamps that callers get stand for it (`SessionStamps`), and no epoch comes again, because later ones are random.
package struct SessionEpoch: Hashable, Sendable, CustomStringConvertible {
  /// As stores keep it: nil for an account from before there were epochs.
  package let text: String?

  package init(stored text: String?) { self.text = text }

  /// The epoch of an account that was registered here, until its first sign-out. An account that came from elsewhere has another one: its
  /// id may be one that was here before.
  package static let first = SessionEpoch(stored: "first")

  package static func random() -> SessionEpoch {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    let bits = UInt128.random(in: .min ... .max, using: &random)
    return SessionEpoch(stored: String(decoding: (0..<32).map { digits[Int(bits >> ($0 * 4) & 15)] }, as: UTF8.self))
  }

  package var description: String { "(epoch)" }
}
