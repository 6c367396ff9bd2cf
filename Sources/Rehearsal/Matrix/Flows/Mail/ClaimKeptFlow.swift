internal import RegdClient

extension Flow {
  /// Kills and restarts regd after it has reported the first try to send the claim's mail.
  static let claimKept = Flow(
    name: "claim kept",
    summary: "regd is killed after the first attempt to send a code; the code still arrives and is valid",
    restartsRegd: true, kind: .mail,
    play: { stage in
      try stage.subscribe()
      let claim = try stage.claim("kept@test.com", as: "r1")
      try expect("register", claim, "claimed")
      let (code, seen) = try stage.code(of: claim, .registrationCode, to: "kept@test.com") {
        try stage.restart()
        try stage.subscribe()
        let again = try stage.claim("kept@test.com", as: "r1")
        try require("asked again", again.detail["claim"] == claim.detail["claim"], "the same claim", again)
      }
      try stage.expectProof(claim, code, of: "kept@test.com")
      try expect("signs in", stage.signIn("kept@test.com"), "signed in")
      return "\(seen), restart, registered"
    })
}
