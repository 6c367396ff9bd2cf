extension Flow {
  static let proof = Flow(
    name: "proof", summary: "a claim, a code by email, an incorrect code, the correct code, a sign-in", kind: .mail,
    play: { stage in
      try stage.subscribe()
      let claim = try stage.claim("owner@test.com", as: "r1")
      try expect("register", claim, "claimed")
      try expect("its state", stage.status("r1"), "claimed")
      try expect("nobody is kept out", stage.check("owner@test.com"), "available")
      try expect("nobody signs in yet", stage.signIn("owner@test.com"), "credentials.rejected")
      let (code, seen) = try stage.code(of: claim, .registrationCode, to: "owner@test.com")
      let wrong = (code.first == "1" ? "2" : "1") + code.dropFirst()
      try expect("another code", stage.prove(claim, wrong), "code.rejected")
      try stage.expectProof(claim, code, of: "owner@test.com")
      try expect("its state", stage.status("r1"), "active")
      try expect("signs in", stage.signIn("owner@test.com"), "signed in")
      return "\(seen), registered"
    })
}
