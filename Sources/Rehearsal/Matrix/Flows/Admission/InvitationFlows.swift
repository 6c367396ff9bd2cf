internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// Registers with an invitation of one use: with a wrong code, with the correct one, and with the correct one again.
  static let invitation = Flow(
    name: "invitation", summary: "an invitation for one use: a wrong code, the correct one, and the correct one again",
    kind: .admission,
    play: { stage in
      let code = try stage.invite(uses: 1)
      // the code as a person may type it, and a wrong code of the same form
      let typed = code.lowercased().prefix(13) + " - " + code.dropFirst(13)
      let other = (code.first == "1" ? "2" : "1") + code.dropFirst()
      let bad = try stage.register("new@test.com", as: "r1", invitation: other)
      let first = try stage.register("new@test.com", as: "r2", invitation: String(typed))
      let again = try stage.register("new@test.com", as: "r2", invitation: code)
      let next = try stage.register("next@test.com", as: "r3", invitation: code)
      let answer: String
      switch try stage.admission {
      case .closed:
        for seen in [bad, first, again, next] { try expect("register", seen, "registration.closed") }
        try expect("its uses", stage.uses(), "0 of 1 used, 0 held")
        return "registration.closed"
      case .invited: answer = "registered"
      case .approval: answer = "waiting"
      }
      try expect("a code that is none", bad, "invitation.rejected")
      try expect("the code", first, answer)
      try expect("the same request", again, answer)
      let isSame = again.detail["account"]?["id"] == first.detail["account"]?["id"]
      try require("the same request", isSame, "the same account", again)
      try expect("the code once more", next, "invitation.rejected")
      try expect("its uses", stage.uses(), "1 of 1 used, 0 held")
      return "\(answer), then invitation.rejected"
    })

  /// Kills regd between two uses of an invitation.
  static let usedUp = Flow(
    name: "used up", summary: "an invitation for two uses; regd is killed after the first; there is no third",
    restartsRegd: true, kind: .admission,
    play: { stage in
      let code = try stage.invite(uses: 2)
      let first = try stage.register("first@test.com", as: "r1", invitation: code)
      try stage.restart()
      let answer: String
      switch try stage.admission {
      case .closed:
        try expect("register", first, "registration.closed")
        try expect(
          "after the restart", stage.register("first@test.com", as: "r1", invitation: code), "registration.closed")
        return try expect("its uses", stage.uses(), "0 of 2 used, 0 held")
      case .invited: answer = "registered"
      case .approval: answer = "waiting"
      }
      try expect("the first", first, answer)
      try expect("asked again", stage.register("first@test.com", as: "r1", invitation: code), answer)
      try expect("its uses", stage.uses(), "1 of 2 used, 0 held")
      try expect("the second", stage.register("second@test.com", as: "r2", invitation: code), answer)
      try expect("the third", stage.register("third@test.com", as: "r3", invitation: code), "invitation.rejected")
      if try stage.admission == .approval {
        try expect("an account is refused", stage.refuse("second@test.com"), "refused")
        try expect("the third", stage.register("third@test.com", as: "r3", invitation: code), "invitation.rejected")
      }
      return try expect("its uses", stage.uses(), "2 of 2 used, 0 held")
    })
}
