/// Help of the commands that register and sign in.
package enum RegisteringHelp: String, SentenceKey {
  case status = "help.registering.status: Says which regd answers, and what it runs on."
  case validate = "help.registering.validate: Says which rules an address and a password break; exit status 1 if any."
  case check = "help.registering.check: Says whether an address is free; exit status 1 if it is not."
  case register =
    "help.registering.register: Registers an account; asks for the code where its address has to be proven."
  case registerMore = """
    help.registering.registerMore: \
    Where regd wants addresses proven, it mails a code, and the account is there once the code was typed. A script says \
    --no-wait, which prints the claim, and later `regctl claim prove`; or it registers again with the same --request-id, \
    and --code.
    """
  case requestId =
    "help.registering.requestId: A name for this registration: asked again with the same, it is answered again and not done twice."
  case codeOfClaim = "help.registering.codeOfClaim: The code that was mailed for a registration with this --request-id."
  case invitation = "help.registering.invitation: The code of an invitation, where one is needed."
  case acceptTerms =
    "help.registering.acceptTerms: The version of the terms that the person accepts, where there are any; `regctl status` says which."
  case signIn = "help.registering.signIn: Says whether an address and a password belong together."
  case form =
    "help.registering.form: Shows a form on the whole terminal, to register, sign in or recover; exit status 1 if it is left."
  case formMore = """
    help.registering.formMore: \
    regd runs the form: it says with every key what is valid, whether the button may be pressed, and what happened. \
    NO_COLOR is kept to; without a UTF-8 locale, ASCII has to do.
    """
  case formKind = "help.registering.formKind: Which form."
}

/// Help of the commands with which owners change their accounts and prove addresses.
package enum OwnerHelp: String, SentenceKey {
  case password = "help.owner.password: Changes one's own password, by the one that there is."
  case email = "help.owner.email: Gives one's own account another address, once the code that is mailed to it is typed."
  case newEmail = "help.owner.newEmail: The address that it is to have."
  case acceptTerms = "help.owner.acceptTerms: Accepts the terms in their present version, for one's own account."
  case termsVersion = "help.owner.termsVersion: The version that is accepted; `regctl status` says which is in force."
  case signOut = "help.owner.signOut: Ends all sign-ins of one's own account, wherever they are."
  case unregister = "help.owner.unregister: Deletes one's own account for good; its address is free again."
  case myData = "help.owner.myData: Prints all that regd knows of one's own account."
  case recover = "help.owner.recover: Sets another password with a code that is mailed to the account's address."
  case recoverMore = """
    help.owner.recoverMore: \
    Whether there is such an account is not said: without one, no mail comes. A script begins with --no-wait, which \
    prints the claim, and finishes with --claim, --code and --password-stdin.
    """
  case recoverClaim = "help.owner.recoverClaim: Go on with a recovery that was begun, in the place of the address."
  case recoverPassword = "help.owner.recoverPassword: Read the new password from the first line of standard input."
  case claim =
    "help.owner.claim: Proves an address with the code that was mailed to it; lists claims, for administrators."
  case prove = "help.owner.prove: Finishes what was claimed: registers the account, or gives it its new address."
  case proveMore =
    "help.owner.proveMore: Asks for the code, unless --code has it. A claim is proven by the user that it was given to, and by no other."
  case resend = "help.owner.resend: Has the code mailed again: the same one while it lives, then a new one."
  case claims = "help.owner.claims: Lists the claims that there are, in the order of their ids."
  case claimsMore =
    "help.owner.claimsMore: A line each: the id, kind, state, when it was made and when it ends, wrong codes, the user, the address. With --json as regd has it."
}

/// Help of the commands for administrators.
package enum AdministeringHelp: String, SentenceKey {
  case account = "help.administering.account: Shows and changes accounts; for administrators."
  case accountGet = "help.administering.accountGet: Shows an account."
  case accountList = "help.administering.accountList: Lists accounts in the order of their ids."
  case accountListState = "help.administering.accountListState: Only those in this state."
  case accountCreate =
    "help.administering.accountCreate: Makes an account, whoever may register: without an invitation, a proof or an approval."
  case accountCreateMore =
    "help.administering.accountCreateMore: Asks for the password, which has to keep the rules for new ones; --no-password leaves it to the owner, who sets one with `regctl recover`."
  case accountCreateNoPassword =
    "help.administering.accountCreateNoPassword: Without a password: nobody signs in until one is set."
  case accountCreateDisabled = "help.administering.accountCreateDisabled: Make it disabled."
  case accountCreateAcceptTerms =
    "help.administering.accountCreateAcceptTerms: The version of the terms that the person has accepted elsewhere."
  case accountApprove = "help.administering.accountApprove: Lets an account in that waits for approval."
  case accountApproveMore =
    "help.administering.accountApproveMore: Where there is a network, it is asked now: if it refuses or is away, the account waits on, and exit status is 1."
  case accountRefuse =
    "help.administering.accountRefuse: Removes an account that waits for approval; its address is free again."
  case accountDisable =
    "help.administering.accountDisable: Switches an account off: it cannot sign in, and its address is not free."
  case accountEnable = "help.administering.accountEnable: Switches a disabled account on again."
  case accountSignOut =
    "help.administering.accountSignOut: Ends all sign-ins of an account, wherever they are; its owner may sign in again."
  case accountDelete = "help.administering.accountDelete: Removes an account for good; its address is free again."
  case accountSetPassword =
    "help.administering.accountSetPassword: Sets another password, which has to keep the rules for new ones."
  case invite = "help.administering.invite: Makes an invitation, and prints its code this once; for administrators."
  case inviteMore = """
    help.administering.inviteMore: \
    Whoever has the code may register: one account, unless --uses says more. With --send regd mails the code and nobody \
    else gets it, so that the address needs no other proof.
    """
  case inviteEmail = "help.administering.inviteEmail: The only address that may register with it; else any."
  case inviteDomain =
    "help.administering.inviteDomain: The only domain whose addresses may register with it, without its subdomains."
  case inviteUses = "help.administering.inviteUses: How many accounts it is good for; else one."
  case inviteExpires =
    "help.administering.inviteExpires: For how long: a number with s, m, h, d or w, as in 7d; else registration.invitationSeconds."
  case inviteNote = "help.administering.inviteNote: Words for administrators, such as who asked for it."
  case inviteSend = "help.administering.inviteSend: Mail the code to the address, and do not print it."
  case invitation = "help.administering.invitation: Lists and revokes invitations; for administrators."
  case invitationList = "help.administering.invitationList: Lists invitations in the order of their ids."
  case invitationListMore = """
    help.administering.invitationListMore: \
    A line each: the id, how many accounts were made of how many, how many more registrations hold one until they are \
    proven, until when, for whom, the note. With --json as regd has it.
    """
  case invitationRevoke = "help.administering.invitationRevoke: Ends an invitation: nobody registers with it any more."
  case invitationRevokeMore =
    "help.administering.invitationRevokeMore: The accounts that were made with it stay. Registrations that wait for their proof are over, and a mail that waits is not sent."
  case invitationId = "help.administering.invitationId: The invitation's id."
  case outbox =
    "help.administering.outbox: Shows and settles registrations that wait for the network; for administrators."
  case outboxListMore =
    "help.administering.outboxListMore: A line each: the id, since when, how often it was tried in vain, when it is tried next, what was wrong, the address. With --json as regd has it."
  case outboxRetryId = "help.administering.outboxRetryId: The account's id; none for all."
  case outboxDiscard = "help.administering.outboxDiscard: Gives one up: its address is free again here."
  case outboxDiscardMore =
    "help.administering.outboxDiscardMore: The network is not told. Where it has the account, only its own operators can remove it there."
  case accountId = "help.administering.accountId: The account's id."
  case mail = "help.administering.mail: Shows and settles mails that wait to be sent; for administrators."
  case mailListMore =
    "help.administering.mailListMore: A line each: the id, kind, since when, how often it was tried in vain, when it is tried next, what was wrong, the address. With --json as regd has it."
  case mailRetryId = "help.administering.mailRetryId: The mail's id; none for all."
  case mailDiscard = "help.administering.mailDiscard: Gives one up: it is not sent."
  case mailDiscardMore =
    "help.administering.mailDiscardMore: The claim whose code it has stays; its caller can have the code mailed again."
  case mailId = "help.administering.mailId: The mail's id."
  case mailSent =
    "help.administering.mailSent: Tells regd that a mail was sent which it had announced by the event mail.wanted."
  case mailSentMore =
    "help.administering.mailSentMore: For programs that send the mails themselves, with `mail.backend: event`."
  case events = "help.administering.events: Shows what happens, until Control-C; for observers and administrators."
  case eventsList = "help.administering.eventsList: Show what was changed of accounts so far (the audit), and end."
  case eventsAfter = "help.administering.eventsAfter: With --list: begin after this entry."
  case eventsCount = "help.administering.eventsCount: End after as many."
  case metrics = "help.administering.metrics: Prints all metrics as OpenMetrics text; for observers and administrators."
  case metricsMore = """
    help.administering.metricsMore: \
    With --http it answers one request of HTTP on standard input, GET or HEAD of /metrics, and ends: systemd starts it so \
    for each connection (regd-metrics.socket). Where regd does not answer it is 503, and the reason is in the answer.
    """
  case metricsHTTP = "help.administering.metricsHTTP: Answer a request of HTTP on standard input."
  case reload = "help.administering.reload: Has regd read its configuration again."
  case reloadMore = """
    help.administering.reloadMore: \
    Returns when the new configuration is in force, or with exit status 1 and everything that is wrong with it; the old \
    one stays as it was then. Without --socket and REGD_SOCKET_PATH, as ExecReload= of a unit it finds the socket that \
    the unit's main process listens on (MAINPID).
    """
  case reloadDryRun = "help.administering.reloadDryRun: Only check the configuration, and say what would change."
}
