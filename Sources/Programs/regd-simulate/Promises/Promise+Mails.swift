extension Promise {
  /// The article and the sentence of a promise about claims, codes or mails, or nil for any other promise.
  var madeOfMails: (String, String)? {
    switch self {
    case .claimFirst:
      (
        "Claims",
        "With `registration.verification: required`, `registration.register` makes a *claim* instead of an account."
      )
    case .sameClaim:
      (
        "Claims",
        "A repeat of `registration.register` with the same `requestId`, address and password returns the same claim."
      )
    case .ownClaim:
      ("Claims", "finishes a claim only by its id, only for the uid that received the id")
    case .ownCode: ("Claims", "and only with the code of this claim")
    case .rightCode: ("Claims", "| open | the correct code makes the account |")
    case .provenOnce: ("Claims", "| verified | the same code returns the account until `claimSeconds` have passed |")
    case .attempts: ("Claims", "a claim ends after `codeAttempts` incorrect codes")
    case .codeLife: ("Claims", "the same code, or a new one after `codeSeconds`")
    case .resends: ("Claims", "A resend mails the same code while that code is valid.")
    case .concealed:
      ("Claims", "returns the same reply to a recovery in both cases, and with `conceal` also to a registration")
    case .recoversAlike:
      ("Claims", "`recovery.start` returns a claim after the same work, whether or not the address has an account")
    case .recoveryEnds:
      (
        "Claims",
        "It also ends the account's other recoveries and changes of address (with `conceal` also those for a taken address), and notifies the owner."
      )
    case .ownerTold:
      (
        "MailQueue",
        "An account's address is verified once its owner has entered the code of a registration, a change of address or a recovery."
      )
    case .mailOnce:
      ("MailQueue", "A process that dies** between handing over a mail and noting the result causes another attempt")
    case .mailFinal: ("Mail", "A final outcome is final for that one mail.")
    case .messageId: ("MailQueue", "All attempts to send the same mail have the same `Message-ID`.")
    case .mailTurns: ("MailQueue", "regd sends up to four mails at once, but only one at a time to each address.")
    case .mailKept: ("MailQueue", "The mail waits in the store, so it survives a restart")
    case .mailsGoOut:
      ("MailQueue", "Any answer ends the outage, and the first accepted mail makes all others due.")
    case .mailBounds:
      (
        "MailQueue",
        "12 in an hour. Beyond these, the first mail of a client that was sent none in this hour, up to 24 in total"
      )
    default: nil
    }
  }
}
