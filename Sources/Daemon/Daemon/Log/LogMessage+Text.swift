extension LogMessage {
  /// The line's text, or its beginning if the end varies. Everything else that varies is in the details, so that `LogRepeats`
  /// recognizes repeated lines.
  var text: String {
    switch self {
    case .ready: "Serving"
    case .stopping: "Stopping: finishing the requests in flight"
    case .stopped: "Stopped"
    case .reloaded: "The configuration was reloaded"
    case .reloadRefused: "The new configuration was refused; the running one is unchanged"
    case .reloadTooLate: "SIGHUP: the configuration is not reloaded, because regd is stopping"
    case .attemptRefused: "Refused a sign-in, registration, proof or recovery"
    case .accountChanged: "account."
    case .invitationChanged: "invitation."
    case .termsAccepted: "terms.accepted"
    case .delivered: "outbox.delivered: The upstream has accepted the registration"
    case .upstreamFails: "The upstream fails"
    case .upstreamWorks: "The upstream works again"
    case .upstreamFailedRequest: "The upstream failed one request"
    case .upstreamStillFails: "The upstream failed another request"
    case .upstreamPaused: "The upstream is down and is only probed from time to time"
    case .upstreamResumed: "The upstream is used again"
    case .upstreamFile: "network."
    case .deliveryRefused:
      "outbox.refused: The upstream has another account with this address, so the registration was deleted"
    case .deliveryDelayed: "outbox.delayed: The delivery will be retried"
    case .deliveriesStranded:
      "Registrations are waiting for an upstream, but network.backend is none: they stay pending (regctl outbox)"
    case .mailSent: "mail.sent: The mail system has accepted the email"
    case .mailRefused: "mail.refused: The email will not be sent"
    case .mailDelayed: "mail.delayed: The email will be sent again"
    case .mailFails: "The mail system fails"
    case .mailWorks: "The mail system works again"
    case .mailFile: "mail."
    case .mailsStranded: "Emails are waiting to be sent, but mail.backend is none (regctl mail)"
    case .storeCreated: "The store had no database, so regd has created an empty one"
    case .storeFails: "The store fails"
    case .storeWorks: "The store works again"
    case .storeStillFails: "The store failed another operation"
    case .storeNotArrived:
      "The store was moved, but the new store is not marked as complete, so a restart would refuse it; run the same regctl move again"
    case .storeWentBack: "The database has gone back to an earlier state, and regd does not use it"
    case .storeAccepted: "An administrator has accepted the database as it is"
    case .storeDamaged: "The store contains a row that cannot be read and is ignored"
    case .taskFails: "A background task fails"
    case .taskWorks: "The background task works again"
    case .clientsFile: "The file of known clients"
    case .clientsFileWorks: "The file of known clients can be written again"
    case .fault: "An internal error of regd"
    case .hashingFailed: "A password could not be hashed: there was not enough memory"
    case .hashDamaged: "A password hash in the store is damaged"
    case .listMissing: "password.breachedList: the file does not exist, so breached passwords are not refused"
    case .listCut:
      "password.breachedList: the file was truncated, so some breached passwords are accepted until regd opens a complete file"
    case .memberUnknown:
      "A user or group does not exist on this machine, so its name has no effect"
    case .lookUpFailed: "The look-up of a user or group failed"
    case .approvalUnverified:
      "registration.approvedDomains: addresses are not verified, so every caller can register accounts of these domains that do not wait"
    case .callerUnmapped:
      "A caller is in another user namespace: regd cannot tell its user from others there, because all share one uid"
    case .groupsUnknown:
      "access.deny.groups: the kernel does not report the groups of callers, so only root may connect"
    case .socketPassed: "Callers connect at the path in regd.socket, not at socket.path; see systemctl edit regd.socket"
    case .socketRights:
      "socket.group and socket.mode have no effect on a socket that systemd passes in; see systemctl edit regd.socket"
    case .socketHeld:
      "systemd has passed in a socket that has no door: regd keeps it open but accepts no connections there"
    case .descriptorsMissing:
      "limits.connections exceeds the number of available descriptors; see LimitNOFILE= or ulimit -Hn"
    case .acceptFailed: "A connection cannot be accepted; trying again in one second"
    case .connectionStalled: "Closed a connection whose caller did not read its waiting replies"
    case .connectionRefused: "Refused a connection"
    case .requestRefused: "Refused a request"
    case .stuck: "A part of regd makes no progress; systemd gets no watchdog messages until it does"
    case .unstuck: "All parts of regd make progress again"
    case .linesDropped: "Log lines were dropped"
    case .startFailed: "regd did not start"
    }
  }
}
