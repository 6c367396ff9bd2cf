internal import RegdClient
internal import RehearsedMailServer
internal import RehearsedMails

extension Flow {
  /// No step asks regd to send, because regd itself notices that the mail system works again.
  static let mailOutage = Flow(
    name: "outage", summary: "notices, then claims: none is refused; when mail is back, regd sends all of them",
    variables: ["REGD_MAIL_QUEUE_FIRST_SECONDS": "0.05", "REGD_MAIL_QUEUE_MAXIMUM_SECONDS": "0.2"], kind: .mail,
    play: { stage in
      let owners = ["a@test.com", "b@test.com"]
      let newcomers = (1...8).map { "n\($0)@test.com" }
      try stage.subscribe()
      try stage.registerWhileMailWorks(owners[0], owners[1])
      for owner in owners {
        try expect("a notice", stage.changePassword(owner, to: Stage.otherPassword), "changed")
      }
      let claims = try newcomers.map { email in
        let claim = try stage.claim(email)
        try expect("register", claim, "claimed")
        return claim
      }
      let all = owners + newcomers
      switch try stage.mail {
      case .mailWorks, .mailSlow:
        try stage.waitForAll("mail.sent", all)
      case .mailRefused:
        try stage.waitForAll("mail.refused", all)
        try expect("nothing waits", stage.waitingMails(), "0 waiting")
        return "8 claimed, mail.refused"
      case .mailOffline:
        try stage.waitUntil("the outage") { $0.contains { $0.event == "mail.delayed" } }
        try expect("the mail system", stage.mailHealth(), "not healthy")
        try stage.expectWaiting(all.count)
        try stage.playMail(works: true)
        try stage.waitForAll("mail.sent", all)
      case .mailDeferred, .mailLost:
        try stage.waitUntil("a mail that waits") { $0.contains { $0.event == "mail.delayed" } }
        if try !stage.isGreylisting { try stage.expectWaiting(all.count) }
        try stage.playMail(works: true)
        try stage.waitForAll("mail.sent", all)
      }
      try expect("nothing waits", stage.waitingMails(), "0 waiting")
      try expect("the mail system", stage.mailHealth(), "healthy")
      let codes = try stage.readableCodes(newcomers)
      for (email, claim) in zip(newcomers, claims) {
        if let code = codes[email] { try stage.expectProof(claim, code, of: email) }
      }
      return "8 claimed, \(try stage.firstNews), 10 sent"
    })
}

extension Stage {
  fileprivate func waitForAll(_ event: String, _ addresses: [String]) throws {
    try waitUntil("\(event) for \(addresses.joined(separator: ", "))") { news in
      Set(addresses).isSubset(of: news.filter { $0.event == event }.map(\.to))
    }
  }

  fileprivate func mailHealth() throws -> Observation {
    try observe("daemon.status", [:]) { status in
      switch status["mail"]?["healthy"]?.bool {
      case true?: "healthy"
      case false?: "not healthy"
      case nil: "neither healthy nor not"
      }
    }
  }

  /// The codes of readable mails, by address. A scripted mail system's mails cannot be read.
  fileprivate func readableCodes(_ addresses: [String]) throws -> [String: String] {
    let arrived = Set(try mailSystem.mails().flatMap { $0.fields("To") })
    return try addresses.filter(arrived.contains).reduce(into: [:]) { codes, address in
      codes[address] = try code(.registrationCode, to: address)
    }
  }
}
