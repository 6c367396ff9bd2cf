/// The operations of `Accounts`, by name.
package enum StoreOperation: String, Sendable {
  case insert, find, note, activate, resume, renew, release, released, replaceHash, confirm, noteGuessed
  case pending, putOff, setPassword, setEnabled, signOut, delete, list, importing, audit, check
  case addClaim, findClaim, guess, renewClaim, endClaim, prove, recover, changePassword, changeEmail, claims, auditOf,
    sweep, wrongCodes
  case addMail, mails, findMail, leaseMail, putOffMail, endMail
  case approve, disapprove, refuse, acceptTerms
  case changeGroups, setDisplayName, groups
  case addInvitation, revokeInvitation, findInvitation, invitations
  case noteAuditHead

  /// Whether the operation may change something.
  package var isChange: Bool {
    switch self {
    case .find, .released, .pending, .list, .audit, .check, .findClaim, .claims, .auditOf, .mails, .findMail,
      .wrongCodes, .findInvitation, .invitations, .groups:
      false
    case .insert, .note, .activate, .resume, .renew, .release, .replaceHash, .confirm, .noteGuessed, .putOff,
      .setPassword, .setEnabled, .signOut, .delete, .importing, .addClaim, .guess, .renewClaim, .endClaim, .prove,
      .recover, .changePassword, .changeEmail, .sweep, .addMail, .leaseMail, .putOffMail, .endMail, .approve,
      .disapprove, .refuse, .acceptTerms, .changeGroups, .setDisplayName, .addInvitation, .revokeInvitation,
      .noteAuditHead:
      true
    }
  }

  /// Whether the operation is done even if its caller no longer waits or regd is stopping. Most such operations record
  /// what has happened, or an answer of an upstream. `note` is one of them, because a caller that gave up got the
  /// answer that its registration is pending. The caller must later find the registration by its request.
  package var ignoresCancellation: Bool {
    switch self {
    case .note, .replaceHash, .confirm, .putOff, .addMail, .putOffMail, .endMail, .disapprove: true
    case .insert, .find, .activate, .resume, .renew, .release, .released, .noteGuessed, .pending, .setPassword,
      .setEnabled, .signOut, .delete, .list, .importing, .audit, .check, .addClaim, .findClaim, .guess, .renewClaim,
      .endClaim, .prove, .recover, .changePassword, .changeEmail, .claims, .auditOf, .sweep, .wrongCodes, .mails,
      .findMail, .leaseMail, .approve, .refuse, .acceptTerms, .changeGroups, .setDisplayName, .groups, .addInvitation,
      .revokeInvitation, .findInvitation, .invitations, .noteAuditHead:
      false
    }
  }
}
