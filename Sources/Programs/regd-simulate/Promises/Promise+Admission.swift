extension Promise {
  /// The article and the sentence of a promise about admission, owners or forms, or nil for any other promise.
  var madeOfAdmission: (String, String)? {
    switch self {
    case .invitedOnly:
      (
        "WhoMayRegister",
        "`invitation.missing` as a problem if there is no code; `invitation.rejected` if the code is invalid for any reason"
      )
    case .boundInvitation: ("WhoMayRegister", "The invitation is limited to the address to which it was mailed.")
    case .usedOnce:
      ("WhoMayRegister", "An invitation with five uses has five slots, and a slot is taken in the transaction")
    case .revokedAdmits:
      ("Invitations", "A revoked code does not admit anyone, and the claims that reserve one of its uses end at once")
    case .approvalFirst:
      (
        "WhoMayRegister",
        "| `registration.approval: administrator` | nothing; the account waits | `account.waiting` for a sign-in with the correct password |"
      )
    case .ownersOnly:
      ("Claims", "take the address and the password. Incorrect passwords count as at a sign-in")
    case .signedOut: ("Stamps", "| `owner.signOut`, `account.signOut` | yes |")
    case .replacedOnce: ("Claims", "regd replaces a password only if it is still the one that was compared.")
    case .closed:
      ("WhoMayRegister", "| `registration.mode: closed` | no registration is possible | `registration.closed` |")
    case .reloads: ("Configuration", "It applies either the whole new configuration or none of it.")
    case .formOrder:
      ("Forms", "first with `activityStarted`, then with `activityEnded`. The last event is `alert` or `navigate`.")
    case .formAlone:
      (
        "Forms",
        "If a form is not valid, `form.submit` causes only an `alert`: no activity begins, and regd uses neither the upstream nor the store."
      )
    case .formState: ("Forms", "`navigate` to `welcome`, and `registered` or `recovered` is true.")
    case .formTaken:
      ("Forms", "For a taken address, `errorMessage` is \"Sorry, provided email address is already taken\"")
    default: nil
    }
  }
}
