/// Keeps invitations: the part of an `AccountStore` that decides which uses are left.
///
/// A use is taken in the transaction that makes the account, or that makes the claim which will: of two callers with one invitation of
/// one use, one is told `invitationRejected`. A claim holds its use for as long as it is open or a decoy and has not expired, by the time
/// that is passed to an operation; nothing has to sweep it. A registration that is released gives its use back; an account that is deleted
/// or refused does not.
package protocol InvitationStore: Sendable {
  /// Adds an invitation, with the mail that brings its code.
  ///
  /// A change. After `unknown`, a list tells.
  func add(
    _ invitation: Invitation, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InvitationAnswer

  /// Revokes an invitation, and removes the claims that hold a use of it.
  ///
  /// A change, and idempotent.
  ///
  /// - Returns: The invitation afterwards; nil if there is none.
  func revokeInvitation(_ id: InvitationID, _ stamp: Stamp) async throws(StoreFailure) -> CountedInvitation?

  /// The invitation with this digest, if it admits the address now. A look-up, which takes as long for each invitation that does not.
  ///
  /// - Parameter share: Of whom asks, for a claim, which may take over the use of the share's oldest one; nil for an account.
  func admittance(
    _ digest: InvitationDigest, _ email: EmailAddress, claiming share: Share?, at now: Timestamp
  ) async throws(StoreFailure) -> Invitation?

  /// The invitation with this id, in any state. A look-up.
  func find(invitation id: InvitationID) async throws(StoreFailure) -> Invitation?

  /// Invitations in the order of their ids, starting after `after`. A list.
  ///
  /// - Parameter limit: The most invitations to return; 1 or more.
  func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) async throws(StoreFailure) -> [CountedInvitation]
}
