extension Flow {
  static let newAddress = Flow(
    name: "new address", summary: "an owner changes the address with a code; the old address gets a notice",
    kind: .mail,
    play: { stage in
      try stage.subscribe()
      try stage.registerWhileMailWorks("old@test.com")
      let claim = try stage.changeEmail("old@test.com", to: "new@test.com")
      try expect("change", claim, "claimed")
      try expect("not yet", stage.signIn("new@test.com"), "credentials.rejected")
      let (code, seen) = try stage.code(of: claim, .changeCode, to: "new@test.com")
      try stage.playMail(works: true)
      try stage.expectProof(claim, code, of: "new@test.com", insteadOf: "old@test.com")
      try stage.expectNotice("emailChanged", "old@test.com")
      try expect("signs in", stage.signIn("new@test.com"), "signed in")
      try expect("not by the old one", stage.signIn("old@test.com"), "credentials.rejected")
      return "\(seen), changed"
    })
}
