extension LogMessage {
  /// The line's text, or its beginning if the end varies. Everything else that varies is in the details, so that `LogRepeats`
  /// recognizes repeated lines.
  var text: String {
    switch self {
    case .ready: "Serving"
    case .stopping: "Stopping: finishing what is in flight"
    case .stopped: "Stopped"
    case .reloaded: "The configuration was read again"
    case .reloadRefused: "The configuration is refused, and the one that ran stays"
    case .reloadTooLate: "SIGHUP: the configuration is not read again, for regd is stopping"
    case .attemptRefused: "Refused a sign-in, registration, proof or recovery"
    case .accountChanged: "account."
    case .invitationChanged: "invitation."
    case .termsAccepted: "terms.accepted"
    case .delivered: "outbox.delivered: The upstream has it"
    case .upstreamFails: "The upstream fails"
    case .upstreamWorks: "The upstream works again"
    case .upstreamFailedRequest: "The upstream failed one request"
    case .upstreamStillFails: "The upstream failed one request, as it has before"
    case .upstreamPaused: "The upstream is not asked but for a try from time to time"
    case .upstreamResumed: "The upstream is asked again"
    case .upstreamFile: "network."
    case .deliveryRefused:
      "outbox.refused: The upstream has another account with this address: the registration is gone"
    case .deliveryDelayed: "outbox.delayed: It is tried again"
    case .deliveriesStranded:
      "Registrations wait for an upstream, and network.backend is none: they stay pending (regctl outbox)"
    case .mailSent: "mail.sent: The mail system has it"
    case .mailRefused: "mail.refused: It is not sent"
    case .mailDelayed: "mail.delayed: It is sent again"
    case .mailFails: "The mail system fails"
    case .mailWorks: "The mail system works again"
    case .mailFile: "mail."
    case .mailsStranded: "Mails wait to be sent, and mail.backend is none (regctl mail)"
    case .storeFails: "The store fails"
    case .storeWorks: "The store works again"
    case .storeStillFails: "The store failed one operation, as it has before"
    case .storeNotArrived:
      "The store was moved, and the new one is not marked so: a restart would refuse it; run the same regctl move again"
    case .storeDamaged: "The store has a row that cannot be read, and goes on without it"
    case .clientsFile: "The file of known clients"
    case .clientsFileWorks: "The file of known clients is written again"
    case .fault: "A fault of regd itself"
    case .hashingFailed: "A password could not be hashed: there was no memory for it"
    case .hashDamaged: "A password hash in the store is damaged"
    case .listMissing: "password.breachedList: there is no such file, so breached passwords are not refused"
    case .listCut:
      "password.breachedList: the file has been cut short; breached passwords are not all refused until regd has a whole one"
    case .memberUnknown:
      "A user or group is unknown on this machine, and its name gives nobody a right"
    case .callerUnmapped:
      "A caller is of another user namespace: regd cannot tell its user from others that are, and all share one uid"
    case .socketPassed: "Callers connect where regd.socket says, and not at socket.path; see systemctl edit regd.socket"
    case .socketRights:
      "socket.group and socket.mode have no effect on a socket that systemd passes in; see systemctl edit regd.socket"
    case .socketHeld:
      "systemd has passed in a socket whose door is gone: regd holds it open, and accepts no connection there"
    case .descriptorsMissing:
      "limits.connections is more than there are descriptors for; see LimitNOFILE= or ulimit -Hn"
    case .acceptFailed: "A connection cannot be accepted; trying again in a second"
    case .connectionStalled: "Closed a connection that took nothing more of what waited for it"
    case .connectionRefused: "Refused a connection"
    case .requestRefused: "Refused a request"
    case .stuck: "A part of regd does not go round; systemd is told nothing until it does"
    case .unstuck: "All parts of regd go round again"
    case .linesDropped: "Lines of the log were dropped"
    case .startFailed: "regd does not run"
    }
  }
}
