/// Makes the stamps of sign-ins and compares them. A stamp is stored nowhere, because it is a keyed hash (HMAC-SHA-256, RFC
/// 2104) of an account's id and epoch. So all sign-ins of one epoch have the same stamp, making it needs no look-up, and it
/// becomes invalid with another epoch or key.
package struct SessionStamps: Sendable {
  private let hashing: any CodeHashing
  private let key: @Sendable () -> CodeKey

  /// - Parameter key: Returns the store's key of stamps; called each time, because a move may bring another store.
  package init(_ hashing: any CodeHashing, key: @escaping @Sendable () -> CodeKey) {
    self.hashing = hashing
    self.key = key
  }

  /// The stamp for a caller who has proven to be the account's owner: 128 bits as hexadecimal digits. Nil unless the
  /// account is active.
  package func stamp(of account: Account) -> String? { account.state == .active ? stamp(account) : nil }

  private func stamp(_ account: Account) -> String {
    let message = "stamp \(account.id) \(account.epoch.text ?? "")"
    let digits = Array("0123456789abcdef".utf8)
    let hash = hashing.hash(Array(message.utf8), key: key())
    return String(decoding: hash.prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Whether the account is active and the text is its present stamp. Takes the same time for every text of a stamp's length.
  func isPresent(_ text: String, of account: Account) -> Bool {
    account.state == .active && hashing.areEqual(Array(text.utf8), Array(stamp(account).utf8))
  }
}
