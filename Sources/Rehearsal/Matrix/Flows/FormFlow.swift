internal import RegdClient
internal import RehearsedNetworks

extension Flow {
  /// The registration form: the caller shows its fields and follows its events.
  static let form = Flow(name: "form", summary: "activity shown, activity hidden, then an alert or the next screen") {
    stage in
    let opened = try stage.observe("form.open", ["kind": "registration"]) { _ in "open" }
    guard let form = opened.detail["form"] else { throw Mismatch(description: "form.open: \(opened.detail.text)") }
    try expect("not valid yet", stage.submit(form), "alert validation.failed")
    let filled = try stage.observe(
      "form.set",
      .object([
        .init("form", form), .init("email", "form@test.com"), .init("password", .string(Stage.password)),
        .init("passwordConfirmation", .string(Stage.password)),
      ])
    ) { $0["state"]?["registrationEnabled"]?.bool == true ? "enabled" : "not enabled" }
    try expect("filled", filled, "enabled")
    let submitted = try stage.submit(form)
    stage.recordForm("form@test.com", submitted)
    let told = "activityStarted activityEnded "
    switch stage.condition {
    case .success, .flapping:
      try expect("submitted", submitted, told + "navigate welcome")
      return "navigate welcome"
    case .offline, .unavailable, .untrusted, .rejected, .throttled, .timeout, .emptyResponse, .malformedResponse,
      .failed, .atWork, .hiddenSuccess:
      try expect("submitted", submitted, told + "alert \(stage.condition.fault?.reason ?? "")")
      return "alert \(stage.condition.fault?.reason ?? "")"
    case .taken:
      try expect("submitted", submitted, told + "alert email.taken")
      let state = submitted.detail["state"]
      try require("taken", state?["registrationEnabled"]?.bool == false, "registrationEnabled false", submitted)
      let message = "Sorry, provided email address is already taken"
      try require("taken", state?["errorMessage"]?.string == message, message, submitted)
      return "alert email.taken"
    case .recovering:
      try expect("submitted", submitted, told + "alert network.unavailable")
      let again = try stage.submit(form)
      stage.recordForm("form@test.com", again)
      try expect("submitted again", again, told + "navigate welcome")
      return "alert network.unavailable, then navigate welcome"
    case .storeReadOnly, .storeFull, .storeLocked, .storeCommitFails, .storeReplaced:
      try expect("submitted", submitted, told + "alert \(stage.condition.storeFault ?? "")")
      return "alert \(stage.condition.storeFault ?? "")"
    }
  }
}

extension Stage {
  /// Records a form's submission as an attempt to register, for the invariants.
  fileprivate func recordForm(_ email: String, _ submitted: Observation) {
    let isRegistered = submitted.word.hasSuffix("navigate welcome")
    let isPending = !isRegistered && condition.fault?.leavesPending ?? false
    let detail: JSONValue = isPending ? ["pending": .bool(true)] : [:]
    let word = isRegistered ? "registered" : submitted.word.split(separator: " ").last.map(String.init) ?? ""
    record(Attempt(email: email, password: Stage.password, request: nil, observation: Observation(word, detail)))
  }

  /// Submits a form.
  ///
  /// - Returns: The form events that arrived before the reply, in one text.
  func submit(_ form: JSONValue) throws -> Observation {
    let result = try observe("form.submit", .object([.init("form", form)])) { _ in "" }
    let events = caller.takeNotifications().filter { $0.method == "form.event" }.compactMap { told -> String? in
      guard let params = told.params, let event = params["event"]?.string else { return nil }
      return [event, params["reason"]?.string ?? params["to"]?.string].compactMap { $0 }.joined(separator: " ")
    }
    return Observation(events.joined(separator: " "), result.detail)
  }
}
