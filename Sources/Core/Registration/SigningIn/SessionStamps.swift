/// Makes and compares the stamps of sign-ins: strings by which a program checks later whether a sign-in is still valid.
/// A stamp is a keyed hash (HMAC-SHA-256, RFC 2104) of an account's id and epoch, and is stored nowhere. All sign-ins
/// of one epoch have the same stamp. A stamp becomes invalid when the epoch or the key changes.
package struct SessionStamps: Sendable {
  private let hashing: any CodeHashing
  private let key: @Sendable () -> CodeKey

  /// - Parameter key: Returns the store's key of stamps. Called each time, because a move may bring another store.
  package init(_ hashing: any CodeHashing, key: @escaping @Sendable () -> CodeKey) {
    self.hashing = hashing
    self.key = key
  }

  /// The stamp for a caller who has proven to be the account's owner: 128 bits as hexadecimal digits. Nil if the
  /// account is not active.
  package func stamp(of account: Account) -> String? { account.state == .active ? stamp(account) : nil }

  private func stamp(_ account: Account) -> String {
    let message = "stamp \(account.id) \(account.epoch.text ?? "")"
    let digits = Array("0123456789abcdef".utf8)
    let hash = hashing.hash(Array(message.utf8), key: key())
    return String(decoding: hash.prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Whether the account is active and the text is its present stamp. The comparison takes the same time for every text
  /// of a stamp's length.
  func isPresent(_ text: String, of account: Account) -> Bool {
    account.state == .active && hashing.areEqual(Array(text.utf8), Array(stamp(account).utf8))
  }
}
