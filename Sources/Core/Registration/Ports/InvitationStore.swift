/// Keeps invitations: the part of an `AccountStore` that decides which uses of them are left. One use admits one
/// account.
///
/// The transaction that adds an account, or the claim for one, also takes the use. So if two callers try the last use,
/// one of them gets `invitationRejected`. A claim holds its use while it `mayHoldUse` (`AddressClaim`), until it
/// expires. Then the use is free, even before a sweep. A claim whose mail was not admitted holds no use. A released
/// registration (`AccountStore.release`) gives its use back, but a deleted or refused account does not.
package protocol InvitationStore: Sendable {
  /// Adds an invitation, with the mail that contains its code.
  ///
  /// A change. After `unknown`, a list shows whether it was added.
  func add(
    _ invitation: Invitation, _ mail: MailIntent?, _ stamp: Stamp
  ) async throws(StoreFailure) -> InvitationAnswer

  /// Revokes an invitation. The claims that were made with the invitation, and whose accounts do not exist, end at
  /// once: every operation treats them as absent. The duration of the change does not depend on their number.
  ///
  /// An idempotent change.
  ///
  /// - Returns: The invitation afterwards, or nil if there is no such invitation.
  func revokeInvitation(_ id: InvitationID, _ stamp: Stamp) async throws(StoreFailure) -> CountedInvitation?

  /// The invitation with this digest, and whether it now admits the address. A look-up. Every refusal takes the same
  /// time, whatever its reason and however many uses the invitation has had.
  ///
  /// - Parameter share: The caller's share (user and origin) if a claim is to hold the use, perhaps by taking it over
  ///   from the share's oldest claim. Nil if an account is to have the use.
  func admittance(
    _ digest: InvitationDigest, _ email: EmailAddress, claiming share: Share?, at now: Timestamp
  ) async throws(StoreFailure) -> Admittance

  /// The invitation with this id, in any state. A look-up.
  func find(invitation id: InvitationID) async throws(StoreFailure) -> Invitation?

  /// Invitations in the order of their ids, starting after `after`. A list.
  ///
  /// - Parameter limit: The most invitations to return, at least 1.
  func invitations(
    after: InvitationID?, limit: Int, at now: Timestamp
  ) async throws(StoreFailure) -> [CountedInvitation]
}

/// The answer to looking an invitation up.
package enum Admittance: Equatable, Sendable {
  /// The invitation admits the address.
  case admitted(Invitation)
  /// The invitation does not admit the address, or not any more. Nil if there is no such invitation.
  case refused(Invitation?)

  package var admitted: Invitation? { if case .admitted(let invitation) = self { invitation } else { nil } }

  package var invitation: Invitation? {
    switch self {
    case .admitted(let invitation): invitation
    case .refused(let invitation): invitation
    }
  }
}
