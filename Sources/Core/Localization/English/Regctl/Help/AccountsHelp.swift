/// Help of the commands that register and sign in.
package enum RegisteringHelp: String, MessageKey {
  case status = "help.registering.status: Show the version, backends and health of regd"
  case validate = """
    help.registering.validate: \
    Check an address and a password against the rules; exit status 1 if either breaks a rule
    """
  case check = "help.registering.check: Check whether an address is available; exit status 1 if it is not"
  case register =
    "help.registering.register: Register an account; ask for the emailed code if the address must be verified"
  case registerMore = """
    help.registering.registerMore: \
    If regd requires verified addresses, it sends an email with a code, and creates the account once the code is \
    entered. In a script, use --no-wait, which prints the claim, and later run `regctl claim prove`. Alternatively, \
    repeat the registration with the same --request-id and with --code.
    """
  case requestId = """
    help.registering.requestId: \
    Id for this registration; repeating the registration with the same id returns the same result instead of \
    registering twice
    """
  case codeOfClaim = "help.registering.codeOfClaim: Code emailed for the registration with this --request-id"
  case invitation = "help.registering.invitation: Invitation code (needed if registration requires an invitation)"
  case acceptTerms = """
    help.registering.acceptTerms: \
    Version of the terms that the end user accepts, if there are terms; `regctl status` shows the current version
    """
  case signIn = "help.registering.signIn: Check the password of an account"
  case signInGroup = """
    help.registering.signInGroup: \
    Accept only members of this group; can be repeated, to accept members of any of these groups
    """
  case form = """
    help.registering.form: \
    Show a full-screen form to register an account, sign in, or recover an account; exit status 1 if the form is \
    cancelled
    """
  case formMore = """
    help.registering.formMore: \
    regd runs the form: after each keystroke, it reports which fields are valid, whether the form can be submitted, \
    and the result of a submission. The form has no colours if NO_COLOR is set, and uses only ASCII if the locale is \
    not UTF-8.
    """
  case formKind = "help.registering.formKind: Form to show"
}

/// Help of the commands with which owners change their accounts and prove addresses.
package enum OwnerHelp: String, MessageKey {
  case password = "help.owner.password: Change the password of your account"
  case email = "help.owner.email: Change the address of your account, using a code sent to the new address"
  case newEmail = "help.owner.newEmail: New email address"
  case acceptTerms = "help.owner.acceptTerms: Accept the current terms for your account"
  case termsVersion = "help.owner.termsVersion: Version to accept; `regctl status` shows the current version"
  case signOut = "help.owner.signOut: End all sign-ins of your account, on every device"
  case unregister = "help.owner.unregister: Permanently delete your account, and free its address"
  case myData = "help.owner.myData: Print everything that regd stores about your account"
  case recover = "help.owner.recover: Set a new password, using a code emailed to the account"
  case recoverMore = """
    help.owner.recoverMore: \
    regctl does not reveal whether the account exists. If the account does not exist, no email is sent. In a script, \
    begin with --no-wait, which prints the claim, and finish with --claim, --code and --password-stdin.
    """
  case recoverClaim =
    "help.owner.recoverClaim: Continue the recovery with this claim id instead of starting a new recovery"
  case recoverPassword = "help.owner.recoverPassword: Read the new password from the first line of standard input"
  case claim = "help.owner.claim: Verify an address with the code emailed to it; administrators can also list claims"
  case prove = "help.owner.prove: Complete a claim, which registers the account or changes its address"
  case proveMore = """
    help.owner.proveMore: \
    Asks for the code unless it is given with --code. Only the user who started the registration or the change can \
    complete its claim.
    """
  case resend = "help.owner.resend: Email the code again: the same code if it is still valid, otherwise a new one"
  case claims = "help.owner.claims: List all claims, ordered by id"
  case claimsMore = """
    help.owner.claimsMore: \
    Prints one claim per line: id, kind, state, creation time, expiry time, number of incorrect codes, user, address. \
    With --json, prints the JSON object that regd returns for each claim.
    """
}

/// Help of the commands for administrators.
package enum AdministeringHelp: String, MessageKey {
  case account = "help.administering.account: Show and change accounts; for administrators"
  case accountGet = "help.administering.accountGet: Show an account"
  case accountList = "help.administering.accountList: List accounts, ordered by id"
  case accountListState = "help.administering.accountListState: List only accounts in this state (default: all states)"
  case accountListGroup = "help.administering.accountListGroup: List only members of this group"
  case accountCreate = """
    help.administering.accountCreate: \
    Create an account without an invitation, verification or approval, even if registration is closed
    """
  case accountCreateMore = """
    help.administering.accountCreateMore: \
    Asks for the password, which must follow the rules for new passwords. With --no-password, the owner sets a \
    password with `regctl recover`.
    """
  case accountCreateNoPassword =
    "help.administering.accountCreateNoPassword: Create the account without a password; the owner cannot sign in until a password is set"
  case accountCreateDisabled = "help.administering.accountCreateDisabled: Create the account as disabled"
  case accountCreateAcceptTerms = """
    help.administering.accountCreateAcceptTerms: \
    Version of the terms that the owner has accepted elsewhere
    """
  case accountCreateGroup = "help.administering.accountCreateGroup: Group to add the account to; can be repeated"
  case accountApprove = "help.administering.accountApprove: Approve an account that is waiting for approval"
  case accountApproveMore = """
    help.administering.accountApproveMore: \
    If there is an upstream, regd registers the account there now. If the upstream refuses the account or cannot be \
    reached, the account keeps waiting for approval, and the exit status is 1. Approving an active or pending account \
    changes nothing.
    """
  case accountRefuse = """
    help.administering.accountRefuse: \
    Refuse an account that is waiting for approval; this deletes the account and frees its address
    """
  case accountDisable = """
    help.administering.accountDisable: \
    Disable an account: its owner can no longer sign in, but its address stays taken
    """
  case accountEnable = "help.administering.accountEnable: Enable a disabled account"
  case accountSignOut =
    "help.administering.accountSignOut: End all sign-ins of an account, on every device; its owner can sign in again"
  case accountDelete = "help.administering.accountDelete: Permanently delete an account, and free its address"
  case accountSetPassword = """
    help.administering.accountSetPassword: \
    Set a new password for an account; the rules for new passwords apply
    """
  case accountGroup = "help.administering.accountGroup: Add an account to groups, or remove it from groups"
  case accountGroupAdd = "help.administering.accountGroupAdd: Add an account to groups"
  case accountGroupRemove = "help.administering.accountGroupRemove: Remove an account from groups"
  case groupName = "help.administering.groupName: Name of a group; can be repeated"
  case accountName = "help.administering.accountName: Set the display name of an account, or remove it"
  case newDisplayName = "help.administering.newDisplayName: Display name, or \"\" to remove it"
  case group = "help.administering.group: List groups of accounts; for observers and administrators"
  case groupList = "help.administering.groupList: List groups, ordered by name"
  case groupListMore = """
    help.administering.groupListMore: \
    Prints one group per line: name, number of members. Accounts in every state count as members. With --json, prints \
    the JSON object that regd returns for each group.
    """
  case invite = "help.administering.invite: Create an invitation, and print its code once; for administrators"
  case inviteMore = """
    help.administering.inviteMore: \
    Anyone who has the code can register one account, or more with --uses. With --send, regd emails the code to the \
    address instead of printing it. That code also verifies the address.
    """
  case inviteEmail = "help.administering.inviteEmail: Accept only this address (default: any address)"
  case inviteDomain =
    "help.administering.inviteDomain: Accept only addresses at this domain, not at its subdomains (default: any domain)"
  case inviteUses =
    "help.administering.inviteUses: Number of accounts that can be registered with the invitation (default: 1)"
  case inviteExpires = """
    help.administering.inviteExpires: \
    Time until the invitation expires: a number followed by s, m, h, d or w, such as 7d (default: \
    registration.invitationSeconds)
    """
  case inviteNote = "help.administering.inviteNote: Note for administrators, such as who requested the invitation"
  case inviteGroup = """
    help.administering.inviteGroup: \
    Group for each account that is registered with the invitation; can be repeated
    """
  case inviteSend = "help.administering.inviteSend: Send the code to the address by email instead of printing it"
  case invitation = "help.administering.invitation: List and revoke invitations; for administrators"
  case invitationList = "help.administering.invitationList: List invitations, ordered by id"
  case invitationListMore = """
    help.administering.invitationListMore: \
    Prints one invitation per line: id, number of accounts registered and allowed, number of uses reserved by \
    registrations whose address is not verified yet, expiry time, address or domain, note. With --json, prints the \
    JSON object that regd returns for each invitation.
    """
  case invitationRevoke = "help.administering.invitationRevoke: Revoke an invitation so that it can no longer be used"
  case invitationRevokeMore = """
    help.administering.invitationRevokeMore: \
    Accounts registered with the invitation are kept. Registrations whose address has not been verified yet are \
    cancelled. If the email with the code has not been sent yet, it is not sent.
    """
  case invitationId = "help.administering.invitationId: Id of the invitation"
  case outbox =
    "help.administering.outbox: List, retry and discard registrations waiting for the upstream; for administrators"
  case outboxListMore = """
    help.administering.outboxListMore: \
    Prints one registration per line: id, time when it was queued, number of failed attempts, time of the next \
    attempt, last failure, address. With --json, prints the JSON object that \
    regd returns for each registration.
    """
  case outboxRetryId = "help.administering.outboxRetryId: Id of the registration (default: all waiting registrations)"
  case outboxDiscard = "help.administering.outboxDiscard: Discard a registration, and free its address in regd"
  case outboxDiscardMore = """
    help.administering.outboxDiscardMore: \
    regd does not notify the upstream. If the upstream has the account, only the operators of the upstream can remove \
    it.
    """
  case accountId = "help.administering.accountId: Id of the registration"
  case mail = "help.administering.mail: List, retry and discard emails waiting to be sent; for administrators"
  case mailListMore = """
    help.administering.mailListMore: \
    Prints one email per line: id, kind, time when it was queued, number of failed attempts, time of the next attempt, \
    last failure, address. With --json, prints the JSON object that regd returns for each email.
    """
  case mailRetryId = "help.administering.mailRetryId: Id of the email (default: all waiting emails)"
  case mailDiscard = "help.administering.mailDiscard: Discard an email instead of sending it"
  case mailDiscardMore = """
    help.administering.mailDiscardMore: \
    The claim that the email belongs to stays valid, and the caller that started the claim can request another email.
    """
  case mailId = "help.administering.mailId: Id of the email"
  case mailSent = "help.administering.mailSent: Mark an email requested by a mail.wanted event as sent"
  case mailSentMore = """
    help.administering.mailSentMore: \
    This command is for programs that send emails on behalf of regd (`mail.backend: event`).
    """
  case events = """
    help.administering.events: \
    Print events as they happen, until interrupted with Control-C; for observers and administrators
    """
  case eventsList =
    "help.administering.eventsList: Print past changes to accounts and invitations (the audit), and exit"
  case eventsAfter = "help.administering.eventsAfter: With --list, begin after the entry with this number"
  case eventsCount = "help.administering.eventsCount: Exit after this number of events (default: no limit)"
  case metrics = "help.administering.metrics: Print all metrics as OpenMetrics text; for observers and administrators"
  case metricsMore = """
    help.administering.metricsMore: \
    With --http, regctl reads one HTTP request (GET or HEAD of /metrics) from standard input, answers it, and exits. \
    systemd starts regctl this way for each connection to regd-metrics.socket. If regd does not answer, the HTTP \
    status is 503, and the body gives the reason.
    """
  case metricsHTTP = "help.administering.metricsHTTP: Answer one HTTP request from standard input"
  case reload = "help.administering.reload: Reload the configuration of regd"
  case reloadMore = """
    help.administering.reloadMore: \
    The command returns when the new configuration is in force. If the new configuration is invalid, the command lists \
    all problems, exits with status 1, and leaves the old configuration in force. As ExecReload= of a unit, if neither \
    --socket nor REGD_SOCKET_PATH is given, the command uses the socket of the unit's main process (MAINPID).
    """
  case reloadDryRun = """
    help.administering.reloadDryRun: \
    Check the configuration and print what would change, without reloading it
    """
  case acceptStore = "help.administering.acceptStore: Continue with a database that has gone back to an earlier state"
  case acceptStoreMore = """
    help.administering.acceptStoreMore: \
    A PostgreSQL database goes back if a failover is undone, or if its server is restored from a snapshot. Acknowledged \
    changes may then be missing, so regd neither changes nor reads the database. First save the later state, as \
    `regctl doctor` advises. Run this command for each regd that uses the database.
    """
}
