internal import RegdClient
internal import RehearsedNetworks

/// Steps of flows about who may register. Each makes one call and returns the answer.
extension Stage {
  /// The environment's situation of admission.
  var admission: AdmissionSituation {
    get throws {
      guard let admission = environment.admission else {
        throw Mismatch(description: "an environment where everybody may register")
      }
      return admission
    }
  }

  /// Makes an invitation for anybody, and records its code for the invariants.
  ///
  /// - Parameter groups: The groups of the accounts that are made with it.
  /// - Returns: The code.
  func invite(uses: Int, groups: [String] = []) throws -> String {
    let given = groups.isEmpty ? [] : [JSONValue.Member("groups", .array(groups.map { .string($0) }))]
    let made = try observe("invitation.create", .object([JSONValue.Member("uses", .number("\(uses)"))] + given)) {
      $0["code"] == nil ? "no code" : "made"
    }
    try expect("invite", made, "made")
    let code = made.detail["code"]?.string ?? ""
    record(invitationCode: code)
    return code
  }

  /// For each invitation: the number of accounts made with it, its limit, and the number of uses that unproven registrations
  /// hold.
  func uses() throws -> Observation {
    try observe("invitation.list", [:]) { result in
      (result["invitations"]?.array ?? []).map { invitation in
        func number(_ name: String) -> Int { invitation[name]?.integer ?? -1 }
        return "\(number("used")) of \(number("uses")) used, \(number("held")) held"
      }.joined(separator: "; ")
    }
  }

  /// Has an administrator make an account. The invariants count a successful one as registered.
  func create(_ email: String) throws -> Observation {
    let entry = RegdClient.entry(email: email, password: Self.password, confirmation: Self.password)
    let seen = try observe("account.create", entry) { result in
      result["account"]?["state"]?.string == "active" ? "registered" : "no active account"
    }
    record(Attempt(email: email, password: Self.password, request: nil, observation: seen))
    return seen
  }

  /// Has an administrator approve an account. Returns the account's state. The invariants count an active one as
  /// registered.
  func approve(_ email: String) throws -> Observation {
    let seen = try observe("account.approve", ["email": .string(email)]) { result in
      result["account"]?["state"]?.string ?? "no state"
    }
    if seen.word == "active" {
      record(
        Attempt(
          email: email, password: Self.password, request: nil, observation: Observation("registered", seen.detail)))
    }
    return seen
  }

  /// Has an administrator refuse a waiting account, which removes it.
  func refuse(_ email: String) throws -> Observation {
    let seen = try observe("account.refuse", ["email": .string(email)]) { _ in "refused" }
    if seen.word == "refused" { forget(email) }
    return seen
  }

  /// Asks `rpc.serverInfo` for the rules, as a registration page does before a person types anything.
  func rulesOfRegistration() throws -> Observation {
    try observe("rpc.serverInfo", [:]) { info in
      ["mode", "approval"].map { info["registration"]?[$0]?.string ?? "?" }.joined(separator: ", ")
    }
  }
}
