extension Promise {
  /// The article and the sentence of a promise about admission, owners or forms; nil for any other promise.
  var madeOfAdmission: (String, String)? {
    switch self {
    case .invitedOnly:
      (
        "WhoMayRegister",
        "`invitation.missing` as a problem; `invitation.rejected` for one that is not good, for whatever reason"
      )
    case .boundInvitation: ("WhoMayRegister", "The invitation is bound to the address that it went to")
    case .usedOnce:
      ("WhoMayRegister", "An invitation of five uses has five slots, and a slot is taken in the transaction")
    case .revokedAdmits:
      ("WhoMayRegister", "A code that was revoked admits nobody, and the claims that hold a use of it are over.")
    case .approvalFirst:
      (
        "WhoMayRegister",
        "| `registration.approval: administrator` | nothing; the account waits | `account.waiting` for a sign-in with the right password |"
      )
    case .ownersOnly:
      ("Claims", "take the address and the password, whose wrong guesses count as those of sign-ins")
    case .signedOut: ("SigningIn", "| `owner.signOut`, `account.signOut` | yes |")
    case .replacedOnce: ("Claims", "A password is replaced only if it is still the one that was compared.")
    case .closed: ("WhoMayRegister", "| `registration.mode: closed` | nothing helps | `registration.closed` |")
    case .reloads: ("Configuration", "It applies either the whole new configuration or none of it.")
    case .formOrder:
      ("Forms", "is sent during a submit, in this order: `activityStarted`, `activityEnded`, then either `alert`")
    case .formAlone:
      ("Forms", "A form that is not valid answers a submit with an `alert` alone: no activity, no upstream, no store.")
    case .formState: ("Forms", "`navigate` to `welcome`, and `registered` or `recovered` is true.")
    case .formTaken:
      ("Forms", "For a taken address `errorMessage` is \"Sorry, provided email address is already taken\"")
    default: nil
    }
  }
}
