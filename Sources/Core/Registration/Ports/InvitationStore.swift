/// Keeps invitations: the part of an `AccountStore` that decides which uses are left.
///
/// The transaction that makes an account, or the claim for one, also takes the use, so that of two callers with the same single
/// use one gets `invitationRejected`. A claim holds its use while it is open, or a decoy, and has not expired by the time that
/// an operation is given; no sweep is needed. A released registration gives its use back; a deleted or refused account does
/// not.
package protocol InvitationStore: Sendable {
  /// Adds an invitation, with the mail that contains its code.
  ///
  /// A change. After `unknown`, a list tells whether it was added.
  func add(
    _ invitation: Invitation, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InvitationAnswer

  /// Revokes an invitation, and removes the claims that hold a use of it.
  ///
  /// An idempotent change.
  ///
  /// - Returns: The invitation afterwards; nil if there is none.
  func revokeInvitation(_ id: InvitationID, _ stamp: Stamp) async throws(StoreFailure) -> CountedInvitation?

  /// The invitation with this digest, if it admits the address now. A look-up; every refusal takes the same time, whatever its
  /// reason.
  ///
  /// - Parameter share: The caller's share if a claim is to hold the use, which may be taken over from the share's oldest
  ///   claim; nil if an account is to have the use.
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
