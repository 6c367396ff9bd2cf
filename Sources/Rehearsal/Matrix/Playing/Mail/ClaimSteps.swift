internal import Linux
internal import RegdClient

/// Steps of flows with claims (changes that wait for a mailed code). Each makes one call and returns the answer.
extension Stage {
  /// Asks for an account. The answer is a claim.
  func claim(_ email: String, as request: String? = nil) throws -> Observation {
    guard
      case .object(var members) = RegdClient.entry(
        email: email, password: Self.password, confirmation: Self.password)
    else { throw Mismatch(description: "an entry is no object") }
    if let request { members.append(.init("requestId", .string(request))) }
    let seen = try observe("registration.register", .object(members), Self.claimed)
    record(claim: seen, of: email)
    return seen
  }

  /// Asks for the claim's mail again. While regd answers that this is too early, waits and repeats the call.
  func resend(_ claim: Observation) throws {
    let never = try EventCounter()
    while true {
      let seen = try observe("claim.resend", ["claim": try id(of: claim)], Self.claimed)
      guard seen.word == "rate.limited", let seconds = seen.detail["retryAfter"]?.integer else {
        try expect("resend", seen, "claimed")
        let isSame = try seen.detail["claim"]?["id"] == id(of: claim)
        return try require("resend", isSame, "the same claim", seen)
      }
      // this counter is never signalled, so this is a pause
      never.wait(atMost: .seconds(seconds))
    }
  }

  func startRecovery(_ email: String) throws -> Observation {
    try observe("recovery.start", ["email": .string(email)], Self.claimed)
  }

  func changeEmail(_ email: String, to new: String) throws -> Observation {
    try observe(
      "owner.changeEmail",
      ["email": .string(email), "password": .string(Self.password), "newEmail": .string(new)], Self.claimed)
  }

  func changePassword(_ email: String, to new: String) throws -> Observation {
    try observe(
      "owner.changePassword",
      [
        "email": .string(email), "password": .string(Self.password), "newPassword": .string(new),
        "newPasswordConfirmation": .string(new),
      ]
    ) { $0["account"]?["state"]?.string == "active" ? "changed" : "no account" }
  }

  /// Proves a claim with a code, which may be wrong.
  func prove(_ claim: Observation, _ code: String) throws -> Observation {
    try observe("claim.prove", ["claim": try id(of: claim), "code": .string(code)]) {
      $0["account"]?["state"]?.string == "active" ? "registered" : "no account"
    }
  }

  /// Expects that the proof makes the account, or changes its address, and records the proof for the invariants.
  func expectProof(_ claim: Observation, _ code: String, of email: String, insteadOf old: String? = nil) throws {
    let proof = try prove(claim, code)
    try expect("prove", proof, "registered")
    if let old { forget(old) }
    record(Attempt(email: email, password: Self.password, request: nil, observation: proof))
    record(Proof(claim: claim, code: code, account: proof.detail["account"]?["id"]))
  }

  func finishRecovery(_ claim: Observation, _ code: String, _ password: String) throws -> Observation {
    try observe(
      "recovery.finish",
      [
        "claim": try id(of: claim), "code": .string(code), "password": .string(password),
        "passwordConfirmation": .string(password),
      ]
    ) { $0["account"]?["state"]?.string == "active" ? "recovered" : "no account" }
  }

  private static func claimed(_ result: JSONValue) -> String {
    result["claim"]?["id"]?.string == nil ? "no claim" : "claimed"
  }

  private func id(of claim: Observation) throws -> JSONValue {
    guard let id = claim.detail["claim"]?["id"] else { throw Mismatch(description: "no claim: \(claim.word)") }
    return id
  }
}
