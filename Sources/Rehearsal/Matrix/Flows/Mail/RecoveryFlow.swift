extension Flow {
  static let recovery = Flow(
    name: "recovery", summary: "a forgotten password is replaced with a code; the owner gets a notice",
    kind: .mail,
    play: { stage in
      try stage.subscribe()
      try stage.registerWhileMailWorks("forgetful@test.com")
      let claim = try stage.startRecovery("forgetful@test.com")
      try expect("start", claim, "claimed")
      try expect("a stranger's", stage.startRecovery("stranger@test.com"), "claimed")
      let (code, seen) = try stage.code(of: claim, .recoveryCode, to: "forgetful@test.com")
      try stage.playMail(works: true)
      try expect("finish", stage.finishRecovery(claim, code, Stage.otherPassword), "recovered")
      try stage.expectNotice("passwordChanged", "forgetful@test.com")
      try expect("signs in", stage.signIn("forgetful@test.com", Stage.otherPassword), "signed in")
      try expect("the old password", stage.signIn("forgetful@test.com"), "credentials.rejected")
      return "\(seen), recovered"
    })
}
