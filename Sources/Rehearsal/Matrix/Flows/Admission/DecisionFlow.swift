internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// An administrator decides who gets in while upstream and mail are unreachable. The upstream is first asked during
  /// the outage, and again after it. The first try of each mail is during the outage.
  static let decision = Flow(
    name: "decision", summary: "approval while upstream and mail are down: nothing is lost, used up or half done",
    variables: [
      "REGD_MAIL_BACKEND": "scripted", "REGD_MAIL_FROM": "regd@example.com",
      "REGD_MAIL_SCRIPTED_SEND": "offline,accept",
      // regd sends a mail again only when the flow asks for it
      "REGD_MAIL_QUEUE_FIRST_SECONDS": "3600", "REGD_MAIL_QUEUE_MAXIMUM_SECONDS": "3600",
    ],
    change: { _ in Script(register: [Script.Step(.fault(.offline)), Script.Step(.accept)]) }, kind: .admission,
    play: { stage in
      let fault = EnvironmentCondition.Fault(reason: "network.offline", isRetryable: true, leavesPending: false)
      try stage.subscribe()
      let code = try stage.invite(uses: 1)
      try stage.playOffline()
      switch try stage.admission {
      case .invited:
        let first = try stage.register("new@test.com", as: "r1", invitation: code)
        try stage.expectFault("register", first, fault, registers: true)
        try expect("the use is given back", stage.uses(), "0 of 1 used, 0 held")
        try stage.playSuccess()
        try expect("again", stage.register("new@test.com", as: "r1", invitation: code), "registered")
        try expect("the use", stage.uses(), "1 of 1 used, 0 held")
        return "network.offline, then registered"
      case .closed:
        try stage.expectFault("an administrator's", stage.create("made@test.com"), fault)
        try expect("no account is left", stage.account("made@test.com"), "account.notFound")
        try stage.playSuccess()
        try expect("again", stage.create("made@test.com"), "registered")
        return "network.offline, then registered"
      case .approval: return try stage.playApproval(code, fault)
      }
    })
}

extension Stage {
  fileprivate func playApproval(_ code: String, _ fault: EnvironmentCondition.Fault) throws -> String {
    // the upstream is asked when the account is approved, and not before
    try expect("register", register("new@test.com", as: "r1", invitation: code), "waiting")
    try wait("mail.delayed", "accountWaiting", "new@test.com")
    try expectFault("approve", approve("new@test.com"), fault)
    try expect("it waits on", status("r1"), "waiting")
    try expect("nothing to deliver", outbox(), "0 waiting")
    try expect("nobody signs in yet", signIn("new@test.com"), "account.waiting")
    try playSuccess()
    try expect("approve again", approve("new@test.com"), "active")
    try expect("once more", approve("new@test.com"), "active")
    try expect("signs in", signIn("new@test.com"), "signed in")
    try expect("mail is back", observe("mail.retry", [:]) { _ in "done" }, "done")
    for kind in ["accountWaiting", "accountApproved"] { try wait("mail.sent", kind, "new@test.com") }
    try expect("no mail waits", waitingMails(), "0 waiting")
    try expect("the use", uses(), "1 of 1 used, 0 held")
    return "waiting, network.offline, active"
  }
}
