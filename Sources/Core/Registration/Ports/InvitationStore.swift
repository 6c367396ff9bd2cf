/// Keeps invitations: the part of an `AccountStore` that decides which uses are left.
///
/// A use is taken in the transaction that makes the account, or that makes the claim which will: if two callers have
/// the same invitation with one use, one of them gets `invitationRejected`. A claim holds its use for as long as it is
/// open or a decoy and has not expired, by the time that is passed to an operation; nothing has to sweep it. A
/// registration that is released gives its use back; an account that is deleted or refused does not.
package protocol InvitationStore: Sendable {
  /// Adds an invitation, with the mail that contains its code.
  ///
  /// A change. After `unknown`, a list tells.
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
  /// - Parameter share: The share of the caller, if a claim is to hold the use: it may take over the use that the share's oldest
  ///   claim holds. Nil if an account is to have it.
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
