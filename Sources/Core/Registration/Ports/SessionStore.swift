/// Ends sign-ins: the part of an `AccountStore` that keeps each account's epoch. The stamp of a sign-in, with which a
/// caller can check later that the sign-in is still valid, depends on the epoch (`SessionStamps`).
///
/// An account keeps its epoch until an operation changes it: `signOut`, disabling (`setEnabled`), or another password
/// (`setPassword`, `changePassword`, `recover`, and `replaceHash` with an epoch). Such an operation changes the epoch
/// in its own transaction, and returns the account with the new epoch. Nothing else changes an epoch.
package protocol SessionStore: Sendable {
  /// The key of the stamps of sign-ins: 32 random bytes, under the rules of `codeKey` with one exception. A database
  /// that was restored from a backup gets a new key, so that sign-ins that were ended after the backup do not become
  /// valid again.
  var stampKey: CodeKey { get }

  /// Whether the database may be a copy, although the store is not certain. The store has then kept the key, and an
  /// operator must decide. If the database is certainly a copy, it already has a new key instead.
  var isCopied: Bool { get }

  /// Gives an account in any state another epoch, and changes nothing else.
  ///
  /// A change. A repeat after `unknown` sets the same epoch again, and writes another audit entry.
  ///
  /// - Parameter hash: The hash of the password that the owner has given, or nil for an administrator. If it is given,
  ///   an account that has another hash or is not active is not changed.
  /// - Returns: The account afterwards, or nil if nothing was changed.
  func signOut(
    _ id: AccountID, having hash: PasswordHash?, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?
}

extension SessionStore {
  package var isCopied: Bool { false }
}
