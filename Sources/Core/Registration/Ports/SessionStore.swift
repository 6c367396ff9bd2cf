/// Ends sign-ins: the part of an `AccountStore` that keeps each account's epoch. The stamp of a sign-in, with which a
/// caller can check later that the sign-in is still valid, depends on the epoch (`SessionStamps`).
///
/// An account keeps its epoch until an operation gives it another one: `signOut`; disabling (`setEnabled`); another
/// password (`setPassword`, `changePassword`, `recover`, and `replaceHash` with an epoch). The operation changes the
/// epoch in its own transaction, and the account that it returns has the new one. Nothing else changes an epoch.
package protocol SessionStore: Sendable {
  /// The key of the stamps of sign-ins: 32 random bytes, under the rules of `codeKey` with one exception: a database that was
  /// restored from a backup gets a new key, so that sign-ins that were ended after the backup do not become valid again.
  var stampKey: CodeKey { get }

  /// Whether the database may be a copy that the store cannot tell from the original with certainty, so that it has kept
  /// the key: an operator must decide. A database that is certainly a copy has got a new key instead.
  var isCopied: Bool { get }

  /// Gives an account in any state another epoch, and changes nothing else.
  ///
  /// A change. A repeat after `unknown` sets the same epoch again, and writes another audit entry.
  ///
  /// - Parameter hash: The hash of the password that the owner has given; nil for an administrator. If it is given, an account
  ///   that has another hash or is not active stays as it is.
  /// - Returns: The account afterwards; nil if nothing was changed.
  func signOut(
    _ id: AccountID, having hash: PasswordHash?, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?
}

extension SessionStore {
  package var isCopied: Bool { false }
}
