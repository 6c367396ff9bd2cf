/// A promise that regd's articles make. regd must keep it in every step of a run.
enum Promise: Int, CaseIterable {
  case oneReply, splits, halfClose, goesOn, batch, idInFlight, echo, cancelled, inTime
  case survives, wholly, oneAccount, sameAnswer, conflict, ownRequestId, validated
  case released, perhaps, askedFirst, sameKey, taken, settled, disbelief, deferred
  case alike, onlyRight, signIn, stamps, membersOnly
  case audit, paging, tree, treeGrows, salts, erased, drains, ends, counters, secrets, comesUp, accepted
  case claimFirst, sameClaim, ownClaim, ownCode, rightCode, provenOnce, attempts, codeLife, resends, concealed
  case recoversAlike, recoveryEnds, ownerTold
  case mailOnce, mailFinal, messageId, mailTurns, mailKept, mailsGoOut, mailBounds
  case invitedOnly, boundInvitation, usedOnce, revokedAdmits, approvalFirst
  case ownersOnly, signedOut, replacedOnce, closed, reloads
  case formOrder, formAlone, formState, formTaken
  case shared, oneAtATime, takenOver, inDoubt

  /// Promises that can be broken only if several regd processes share a store.
  static let ofSeveral: Set<Promise> = [.shared, .oneAtATime, .takenOver, .inDoubt]
  /// Promises about erasure, mail, claims, invitations, owners and forms, which only the simulator's own configurations
  /// turn on.
  static let ofAdmission: Set<Promise> = [
    .claimFirst, .sameClaim, .ownClaim, .ownCode, .rightCode, .provenOnce, .attempts, .codeLife, .resends, .concealed,
    .recoversAlike, .recoveryEnds, .ownerTold, .mailOnce, .mailFinal, .messageId, .mailTurns, .mailKept, .mailsGoOut,
    .mailBounds, .invitedOnly, .boundInvitation, .usedOnce, .revokedAdmits, .approvalFirst, .ownersOnly, .signedOut,
    .replacedOnce, .closed, .reloads, .formOrder, .formAlone, .formState, .formTaken, .erased,
  ]

  /// The articles' paths, by the names of their modules and articles.
  private static let articles = [
    "Wire": "Sources/Core/JSONRPC/JSONRPC.docc/Wire.md",
    "Limits": "Sources/Core/JSONRPC/JSONRPC.docc/Limits.md",
    "Methods": "Sources/Core/Methods/Methods.docc/Methods.md",
    "Events": "Sources/Core/Methods/Methods.docc/Events.md",
    "Claims": "Sources/Core/Registration/Registration.docc/Claims.md",
    "Erasure": "Sources/Core/Registration/Registration.docc/Erasure.md",
    "Mail": "Sources/Core/Registration/Registration.docc/Mail.md",
    "MailQueue": "Sources/Core/Registration/Registration.docc/MailQueue.md",
    "Registering": "Sources/Core/Registration/Registration.docc/Registering.md",
    "Upstream": "Sources/Core/Registration/Registration.docc/Upstream.md",
    "Outbox": "Sources/Core/Registration/Registration.docc/Outbox.md",
    "SigningIn": "Sources/Core/Registration/Registration.docc/SigningIn.md",
    "Stamps": "Sources/Core/Registration/Registration.docc/Stamps.md",
    "Socket": "Sources/Adapters/UnixSocket/UnixSocket.docc/Socket.md",
    "Scaling": "Sources/Daemon/Daemon/Daemon.docc/Scaling.md",
    "Observing": "Sources/Daemon/Daemon/Daemon.docc/Observing.md",
    "Configuration": "Sources/Daemon/Daemon/Daemon.docc/Configuration.md",
    "Forms": "Sources/Core/Methods/Methods.docc/Forms.md",
    "Groups": "Sources/Daemon/Daemon/Daemon.docc/Groups.md",
    "Invitations": "Sources/Daemon/Daemon/Daemon.docc/Invitations.md",
    "WhoMayRegister": "Sources/Daemon/Daemon/Daemon.docc/WhoMayRegister.md",
    "TheMatrix": "Sources/Rehearsal/Matrix/Matrix.docc/TheMatrix.md",
  ]

  var name: String { "\(self)" }
  /// The path of the article, in the repository.
  var article: String { Self.articles[made.0] ?? "" }
  var sentence: String { made.1 }

  private var made: (String, String) { madeOfMails ?? madeOfAdmission ?? madeOfRest }

  private var madeOfRest: (String, String) {
    switch self {
    case .oneReply: ("Wire", "Every request that has an id gets exactly one reply.")
    case .splits: ("Wire", "The same bytes give the same replies, however they are split over reads.")
    case .halfClose:
      (
        "Wire",
        "A caller that closes its sending side still gets every reply, and its last message is answered even without a newline."
      )
    case .goesOn: ("Wire", "After an error the connection continues with the next message.")
    case .batch: ("Wire", "A batch is answered by one array, in the order of its requests")
    case .idInFlight:
      ("Wire", "If an id is already in flight on the connection, the request fails with `rpc.invalidRequest`.")
    case .echo: ("Wire", "An id is a string, a number or null, and the reply repeats it as it came.")
    case .cancelled:
      (
        "Wire",
        "Until then it can be cancelled, and `limits.requestSeconds` ends it with `request.timeout`: nothing was done."
      )
    case .inTime: ("Limits", "| `requestSeconds` | 30 | how long a request may take |")
    case .survives:
      ("Registering", "**An acknowledged registration survives** a killed process, a killed machine and a full disk")
    case .wholly:
      ("Registering", "A registration that was not acknowledged is either stored completely or not at all.")
    case .oneAccount: ("Registering", "`registration.register` creates one account for an address.")
    case .sameAnswer: ("Registering", "The answer is the account as it is now.")
    case .conflict: ("Registering", "With another address or password, the registration fails with `request.conflict`.")
    case .ownRequestId:
      ("Registering", "A `requestId` belongs to the caller's uid: other users learn nothing by guessing it.")
    case .validated: ("Methods", "`registrationEnabled` is true if and only if `problems` is empty")
    case .released:
      (
        "Upstream",
        "*Released*: the upstream certainly has not processed the request, and the address is free again before the caller gets the answer."
      )
    case .perhaps:
      (
        "Upstream",
        "*Pending*: the upstream may have processed it. The error contains `pending: true`, and the outbox finds out"
      )
    case .askedFirst: ("Registering", "asks the upstream, activates the account, and only then acknowledges it.")
    case .sameKey:
      (
        "Upstream",
        "The `Idempotency-Key` is the account's id. It is the same for every request for one registration."
      )
    case .taken: ("Upstream", "A `409` must mean that *another* registration has the address.")
    case .settled:
      (
        "Outbox",
        "Once the upstream is available again, regd therefore settles everything that waits within `network.outbox.maximumSeconds`."
      )
    case .disbelief: ("Outbox", "Neither further 409s nor a caller's repeats remove the account before that.")
    case .deferred: ("Outbox", "The caller then gets a result: the account with the state `pending`.")
    case .alike:
      (
        "SigningIn",
        "An unknown address, a string that is not an address and an incorrect password get the same `credentials.rejected` after the same work"
      )
    case .onlyRight: ("SigningIn", "Only the correct password reveals that an account is disabled")
    case .signIn: ("SigningIn", "`session.signIn` compares a password with the account's hash.")
    case .stamps: ("Stamps", "it is deleted or disabled (enabling it does not restore them)")
    case .membersOnly:
      (
        "Groups",
        "If an account was removed from a group before a sign-in began, the sign-in does not count it as a member of that group."
      )
    case .audit: ("Events", "The audit has one entry for each change to an account or an invitation")
    case .paging: ("Events", "Paging never skips an entry that commits late.")
    case .tree:
      ("Events", "Each entry is a leaf of a Merkle tree (RFC 9162, section 2.1), in the order of the numbers.")
    case .treeGrows: ("Events", "the hashes that prove that the larger tree begins with the smaller one")
    case .salts:
      ("Erasure", "Together with the address and the origin, regd erases the salt of the entry's commitment.")
    case .erased:
      (
        "Erasure",
        "After the next sweep, the database file, its write-ahead log and every later backup do not contain any erased data."
      )
    case .drains: ("Socket", "finishes the requests in flight, for up to `shutdown.graceSeconds`.")
    case .ends: ("Socket", "closes all remaining connections one second later, and exits with status 0.")
    case .counters:
      ("Observing", "| `subscribers`, `connections` | the current number of subscribers, and of connections |")
    case .secrets: ("TheMatrix", "no password is in any reply, file or log line, and no hash in any reply or log line")
    case .shared:
      (
        "Scaling",
        "| accounts, requests, the audit | yes, in the database. `events.list` shows the changes made by all processes |"
      )
    case .inDoubt: ("Scaling", "regd returns `store.unavailable`, or `pending` for a commit in doubt")
    case .oneAtATime: ("Outbox", "Only one of them at a time has the *lease* of a pending account")
    case .takenOver: ("Outbox", "another instance takes over an account when the account's lease has expired")
    case .accepted:
      ("Limits", "a connection waits until there is one. regd tries to accept it once a second, and sleeps in between.")
    case .comesUp:
      ("Registering", "**An acknowledged registration survives** a killed process")
    default: ("", "")
    }
  }
}

/// A fault that the simulation causes. Each is counted when it happens, not when it is planned.
enum Fault: Int, CaseIterable {
  case split, slowReader, hangUp, hangUpInFlight, halfClosed, cancel, repeatInFlight, repeated, garbage
  case kill, killAtDisk, power, powerAtDisk, lost, torn, recoveryCut, terminate, diskFull, diskError, syncError
  case offline, unavailable, throttled, rejected, timeoutNot, timeoutLater, actedLost, notActedLost, atWork409,
    foreign409, slowUpstream
  case slowLane, wallBack, wallForward, noDescriptor, noMemory, readOnly, foreignLock, asleep, paused
  case mailOffline, mailDeferred, mailRefused, mailSlow, mailLost, mailCut, mailTimeout
  case wrongCode, otherCode, foreignProof, lateCode, lateClaim, resent, tooSoon
  case revoked, otherInvitation, usedUp, reload, badReload, closedProof
  case storeSlow, storeAway, storeCut, answerLost, commitLate, commitLost, killAtStore, left, skewedClock

  /// Faults that happen only if several regd processes share a store.
  static let ofSeveral: Set<Fault> = [
    .storeSlow, .storeAway, .storeCut, .answerLost, .commitLate, .commitLost, .killAtStore, .left, .skewedClock,
    .paused,
  ]
  /// Faults that happen only to a single regd, which has a disk.
  static let ofTheDisk: Set<Fault> = [
    .killAtDisk, .power, .powerAtDisk, .lost, .torn, .recoveryCut, .diskFull, .diskError, .syncError,
    .readOnly, .foreignLock, .asleep,
  ]
  /// Faults that happen only with the simulator's own configurations, which turn on mail, claims and invitations.
  static let ofAdmission: Set<Fault> = [
    .mailOffline, .mailDeferred, .mailRefused, .mailSlow, .mailLost, .mailCut, .mailTimeout, .wrongCode, .otherCode,
    .foreignProof, .lateCode, .lateClaim, .resent, .tooSoon, .revoked, .otherInvitation, .usedUp, .reload, .badReload,
    .closedProof,
  ]

  var name: String { "\(self)" }
}

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
