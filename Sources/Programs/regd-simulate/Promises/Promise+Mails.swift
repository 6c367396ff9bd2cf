extension Promise {
  /// The article and the sentence of a promise about claims, codes or mails; nil for any other promise.
  var madeOfMails: (String, String)? {
    switch self {
    case .claimFirst:
      (
        "Claims",
        "With `registration.verification: required`, `registration.register` makes no account but a *claim*"
      )
    case .sameClaim:
      ("Claims", "A repeat of `registration.register` by the same `requestId`, address and password is the same claim")
    case .ownClaim:
      ("Claims", "finishes a claim only by its own id, which only the uid knows that it was given to")
    case .ownCode: ("Claims", "by the code that is of no other claim")
    case .rightCode: ("Claims", "| open | the right code makes the account |")
    case .provenOnce: ("Claims", "| proven | the same code answers the account until `claimSeconds` are over |")
    case .attempts: ("Claims", "a claim takes `codeAttempts` wrong codes")
    case .codeLife: ("Claims", "the same code, or a new one behind `codeSeconds`")
    case .resends: ("Claims", "A resend mails the same code while that lives")
    case .concealed: ("Claims", "answers a recovery alike in any case, and with `conceal` a registration, too")
    case .recoversAlike:
      ("Claims", "`recovery.start` answers with a claim after the same work, whether or not the address has an account")
    case .recoveryEnds:
      (
        "Claims",
        "ends its other recoveries and changes of address (with `conceal` also those for a taken address), and tells the owner"
      )
    case .ownerTold:
      (
        "MailQueue",
        "An account's address is proven after a registration, a change of address or a recovery by its code"
      )
    case .mailOnce:
      ("MailQueue", "A regd that dies** between handing a mail over and noting that has it sent again")
    case .mailFinal: ("Mail", "A final outcome is final for that one mail.")
    case .messageId: ("MailQueue", "All tries of one mail have one `Message-ID`")
    case .mailTurns: ("MailQueue", "Four mails are under way at once, to each address one")
    case .mailKept: ("MailQueue", "It waits in the store, so it survives a restart")
    case .mailsGoOut:
      ("MailQueue", "Any answer ends the outage, and the first mail that is taken makes all others due.")
    case .mailBounds: ("MailQueue", "12 in an hour; up to 24 the first of a user and origin that was sent none")
    default: nil
    }
  }
}
