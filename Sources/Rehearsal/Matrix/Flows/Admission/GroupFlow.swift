internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// Adds an account to a group by an invitation or, if registration is closed, by an administrator, and removes it
  /// again. The door remembers correct passwords.
  static let group = Flow(
    name: "group", summary: "invited into a group, an account signs in at a door; removed from it, it is refused",
    doorGroup: "staff", kind: .admission,
    play: { stage in
      let code = try stage.invite(uses: 1, groups: ["staff"])
      let first = try stage.register("new@test.com", as: "r1", invitation: code)
      switch try stage.admission {
      case .invited: try expect("register", first, "registered")
      case .closed:
        try expect("register", first, "registration.closed")
        try expect("an administrator's", stage.create("new@test.com"), "registered")
        try expect("no member yet", stage.signInAtDoor("new@test.com"), "group.required")
        try expect("added", stage.changeGroups("account.addGroups", of: "new@test.com"), "staff")
      case .approval:
        try expect("register", first, "waiting")
        try expect("nobody signs in yet", stage.signInAtDoor("new@test.com"), "account.waiting")
        try expect("approve", stage.approve("new@test.com"), "active")
      }
      try expect("another account", stage.create("other@test.com"), "registered")
      try expect("it is no member", stage.signInAtDoor("other@test.com"), "group.required")
      try expect(
        "a wrong password learns nothing", stage.signInAtDoor("other@test.com", Stage.wrongPassword),
        "credentials.rejected")
      for _ in 0..<2 { try expect("a member", stage.signInAtDoor("new@test.com"), "signed in") }
      try expect("the groups", stage.groups(), "staff 1")
      try expect("removed", stage.changeGroups("account.removeGroups", of: "new@test.com"), "no group")
      try expect("removed, at the door", stage.signInAtDoor("new@test.com"), "group.required")
      try expect("elsewhere", stage.signIn("new@test.com"), "signed in")
      try expect("the groups", stage.groups(), "")
      return "signed in, then group.required"
    })
}

extension Stage {
  fileprivate func signInAtDoor(_ email: String, _ password: String = Stage.password) throws -> Observation {
    try DoorCaller(in: fixture.directory).signIn(email, password)
  }

  /// Adds an account to the group `staff`, or removes it.
  ///
  /// - Returns: The account's groups.
  fileprivate func changeGroups(_ method: String, of email: String) throws -> Observation {
    try observe(method, ["email": .string(email), "groups": .array([.string("staff")])]) { result in
      let groups = (result["account"]?["groups"]?.array ?? []).compactMap(\.string)
      return groups.isEmpty ? "no group" : groups.joined(separator: " ")
    }
  }

  /// Each group with the number of its members.
  fileprivate func groups() throws -> Observation {
    try observe("group.list", [:]) { result in
      (result["groups"]?.array ?? []).map { "\($0["name"]?.string ?? "?") \($0["members"]?.integer ?? -1)" }
        .joined(separator: "; ")
    }
  }
}
