internal import RegdClient

/// Steps that flows are made of. Each asks one thing and says what was seen.
extension Stage {
  func validate(_ email: String?, _ password: String?, _ confirmation: String?) throws -> Sight {
    try see("registration.validate", RegdClient.entry(email: email, password: password, confirmation: confirmation)) {
      result in
      result["registrationEnabled"]?.bool == true
        ? "valid"
        : (result["problems"]?.array ?? []).compactMap { $0["reason"]?.string }.joined(separator: " ")
    }
  }

  func check(_ email: String) throws -> Sight {
    try see("registration.checkEmail", ["email": .string(email)]) { result in
      switch result["available"]?.bool {
      case true?: "available"
      case false?: "not available"
      case nil: "neither available nor not"
      }
    }
  }

  func register(_ email: String, _ password: String = Stage.password) throws -> Sight {
    try see("registration.register", RegdClient.entry(email: email, password: password, confirmation: password)) {
      result in
      result["account"]?["state"]?.string == "active" ? "registered" : "not active"
    }
  }

  func signIn(_ email: String, _ password: String = Stage.password) throws -> Sight {
    try see("session.signIn", ["email": .string(email), "password": .string(password)]) { result in
      result["account"]?["email"]?.string == email ? "signed in" : "somebody else"
    }
  }

  /// What a caller sees of a call that needs the upstream: the answer, or the fault that the condition is.
  func expectUpstream(_ step: String, _ seen: Sight, answer: String) throws -> String {
    switch condition {
    case .success:
      return try expect(step, seen, answer)
    case .offline:
      try expect(step, seen, "network.offline")
    case .unavailable:
      try expect(step, seen, "network.unavailable")
      try require(step, seen.detail["retryAfter"]?.integer == 30, "retryAfter 30", seen)
    }
    // certainly not processed: worth a repeat, and nothing stays behind
    try require(step, seen.detail["retryable"]?.bool == true, "retryable", seen)
    try require(step, seen.detail["pending"] == nil, "nothing pending", seen)
    return seen.word
  }
}
