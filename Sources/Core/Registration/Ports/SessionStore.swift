/// Ends sign-ins: the part of an `AccountStore` that keeps what their stamps stand for.
///
/// An account keeps its epoch until an operation gives it another one: `signOut`; disabling (`setEnabled`); another password (`setPassword`,
/// `changePassword`, `recover`, and `replaceHash` where it says so). It has that in the same transaction, and is returned with it. Nothing
/// else changes an epoch.
package protocol SessionStore: Sendable {
  /// The key of the stamps of sign-ins: another 32 random bytes, as `codeKey` but for one thing. A database that was restored from a
  /// back-up has another one: what the back-up does not know to be over must not hold again.
  var stampKey: CodeKey { get }

  /// Gives an account in any state another epoch, and changes nothing else.
  ///
  /// A change. A repeat after `unknown` sets the same epoch again, and writes another audit entry.
  ///
  /// - Parameter hash: The hash of the password that the owner has shown; nil for an administrator. An account with another hash, or that
  ///   is not active, stays as it is for the owner.
  /// - Returns: The account afterwards; nil if nothing was changed.
  func signOut(
    _ id: AccountID, having hash: PasswordHash?, epoch: SessionEpoch, _ stamp: Stamp
  ) async throws(StoreFailure) -> Account?
}
