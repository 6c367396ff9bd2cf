internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// Tries to register without an invitation. Checks the rules that regd publishes beforehand, the validation of a
  /// correct entry, and that an administrator can still make an account.
  static let entry = Flow(
    name: "entry", summary: "without an invitation: what validation, a form and a call return",
    kind: .admission,
    play: { stage in
      let rules = try stage.rulesOfRegistration()
      let valid = try stage.validate("new@test.com", Stage.password, Stage.password)
      try expect("the address", stage.check("new@test.com"), "available")
      let form = try stage.submitForm("form@test.com")
      let first = try stage.register("new@test.com", as: "r1")
      let seen: String
      switch try stage.admission {
      case .invited:
        try expect("the rules", rules, "invited, none")
        try expect("validate", valid, "invitation.missing")
        try expect("the form", form, "needs invitation, alert validation.failed")
        seen = try expect("register", first, "validation.failed")
        try expect("the address", stage.check("new@test.com"), "available")
      case .closed:
        try expect("the rules", rules, "closed, none")
        // the entry has no problems, but registration is closed
        try expect("validate", valid, "")
        try expect("the form", form, "alert registration.closed")
        seen = try expect("register", first, "registration.closed")
        try expect("the address", stage.check("new@test.com"), "available")
      case .approval:
        try expect("the rules", rules, "open, administrator")
        try expect("validate", valid, "valid")
        try expect("the form", form, "activityStarted activityEnded navigate welcome")
        seen = try expect("register", first, "waiting")
        try expect("its state", stage.status("r1"), "waiting")
        try expect("the address", stage.check("new@test.com"), "not available")
        try expect("nobody signs in yet", stage.signIn("new@test.com"), "account.waiting")
        try expect(
          "a wrong password learns nothing", stage.signIn("new@test.com", Stage.wrongPassword), "credentials.rejected")
        try expect("refused", stage.refuse("form@test.com"), "refused")
        try expect("again", stage.refuse("form@test.com"), "account.notFound")
        try expect("its address", stage.check("form@test.com"), "available")
      }
      try expect("an administrator's", stage.create("made@test.com"), "registered")
      try expect("signs in", stage.signIn("made@test.com"), "signed in")
      return seen
    })
}

extension Stage {
  /// Fills a registration form and submits it.
  ///
  /// - Returns: The fields that the form needs besides address and password, if any, and its events.
  fileprivate func submitForm(_ email: String) throws -> Observation {
    let opened = try observe("form.open", ["kind": "registration"]) { _ in "open" }
    guard let form = opened.detail["form"] else { throw Mismatch(description: "form.open: \(opened.detail.text)") }
    _ = try observe(
      "form.set",
      .object([
        .init("form", form), .init("email", .string(email)), .init("password", .string(Stage.password)),
        .init("passwordConfirmation", .string(Stage.password)),
      ])
    ) { _ in "" }
    let needs = opened.detail["state"]?["needs"]?.array?.compactMap(\.string) ?? []
    let submitted = try submit(form)
    if submitted.word.hasSuffix("navigate welcome") {
      record(
        Attempt(
          email: email, password: Stage.password, request: nil, observation: Observation("waiting", submitted.detail)))
    }
    let front = needs.isEmpty ? "" : "needs \(needs.joined(separator: " ")), "
    return Observation(front + submitted.word, submitted.detail)
  }
}
