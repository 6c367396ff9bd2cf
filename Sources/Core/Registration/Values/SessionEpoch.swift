/// The period in which the sign-ins of an account are valid. Each change that ends all of them gives the account another epoch,
/// on which the stamps of later sign-ins depend (`SessionStamps`). No epoch recurs, because all except the first are random.
package struct SessionEpoch: Hashable, Sendable, CustomStringConvertible {
  /// The epoch's text in stores, or nil for an account that is older than epochs.
  package let text: String?

  package init(stored text: String?) { self.text = text }

  /// The first epoch of an account that was registered here. An account from elsewhere begins with a random one, because its id
  /// may have existed here before.
  package static let first = SessionEpoch(stored: "first")

  /// The first epoch of an account that an administrator registers as a disabled one. While the upstream has not answered,
  /// the account is pending, and has no other mark that it shall be disabled.
  package static let firstOfDisabled = SessionEpoch(stored: "disabled")

  package static func random() -> SessionEpoch {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef".utf8)
    let bits = UInt128.random(in: .min ... .max, using: &random)
    return SessionEpoch(stored: String(decoding: (0..<32).map { digits[Int(bits >> ($0 * 4) & 15)] }, as: UTF8.self))
  }

  package var description: String { "(epoch)" }
}
