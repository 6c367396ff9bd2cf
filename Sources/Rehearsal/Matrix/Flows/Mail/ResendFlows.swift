extension Flow {
  static let resend = Flow(
    name: "resend", summary: "the first email arrives, then the row's condition; the next email has the same code",
    kind: .mail,
    play: { stage in
      try stage.subscribe()
      try stage.playMail(works: true)
      let claim = try stage.claim("twice@test.com")
      try expect("register", claim, "claimed")
      let first = try stage.codeWhileMailWorks(.registrationCode, "twice@test.com")
      try stage.playMail(works: false)
      stage.beginNews()
      try stage.resend(claim)
      let (second, seen) = try stage.code(of: claim, .registrationCode, to: "twice@test.com")
      try require("the second code", first == second, "the first one", claim)
      try stage.expectProof(claim, first, of: "twice@test.com")
      return "mail.sent, \(seen), registered"
    })

  static let resendWhileAway = Flow(
    name: "resend away", summary: "two emails of a claim meet the row's condition; both arrive with the same code",
    kind: .mail,
    play: { stage in
      try stage.subscribe()
      let claim = try stage.claim("patient@test.com")
      try expect("register", claim, "claimed")
      let (code, seen) = try stage.code(of: claim, .registrationCode, to: "patient@test.com", mails: 2) {
        try stage.resend(claim)
      }
      try stage.expectProof(claim, code, of: "patient@test.com")
      return "\(seen) twice, registered"
    })
}
