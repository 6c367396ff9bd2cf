internal import RegdClient
internal import RehearsedNetworks

/// The setting of a flow: a running regd, one caller, one environment that may change.
final class Stage {
  let environment: Environment
  let fixture: Fixture
  private(set) var caller: Caller
  /// The caller's attempts to register, in order.
  private(set) var attempts: [Attempt] = []
  /// The answers to registrations that must begin a claim (an account whose address is not proven yet), in order.
  private(set) var claims: [(email: String, observation: Observation)] = []
  private(set) var proofs: [Proof] = []
  /// Codes that were read in mails, with their recipients. The invariants look for them where they must not be.
  private(set) var codes: [(code: String, address: String)] = []
  /// Codes of invitations. Only the answer to the administrator who makes an invitation has its code.
  private(set) var invitationCodes: [String] = []
  /// An index in the caller's news of mails. Waits ignore earlier news.
  private(set) var newsBegin = 0

  /// Passwords that the shipped environments accept. The invariants look for them in everything that regd sends and
  /// writes.
  static let password = "s3cret-Passw0rd-of-the-matrix"
  static let otherPassword = "an0ther-Passw0rd-of-the-matrix"
  static let wrongPassword = "a-wrong-Passw0rd-of-the-matrix"
  static let passwords = [password, otherPassword, wrongPassword]

  /// One registration, and its answer.
  struct Attempt {
    let email: String
    let password: String
    let request: String?
    var invitation: String?
    let observation: Observation
  }

  /// A proven claim, and its account's id.
  struct Proof {
    let claim: Observation
    let code: String
    let account: JSONValue?
  }

  init(_ environment: Environment, _ fixture: Fixture) throws {
    self.environment = environment
    self.fixture = fixture
    caller = try Caller(fixture.socket)
  }

  var condition: EnvironmentCondition { environment.condition }

  /// The fault that callers meet.
  ///
  /// - Throws: If the condition has no fault. The flow's `switch` then has the condition in the wrong case.
  var fault: EnvironmentCondition.Fault {
    get throws {
      guard let fault = condition.fault else { throw Mismatch(description: "\(condition) has no fault") }
      return fault
    }
  }

  /// Makes the upstream work from now on.
  func playSuccess() throws { try fixture.play(Script()) }

  /// Makes the upstream unreachable from now on.
  func playOffline() throws { try fixture.play(Script(always: .init(.fault(.offline)))) }

  /// Makes the environment behave as in its file from now on.
  func playEnvironment() throws { try fixture.play(environment.script ?? Script()) }

  /// Kills regd and starts it again. The upstream works from then on.
  func restart() throws {
    try fixture.restart()
    caller = try Caller(fixture.socket, after: caller)
  }

  /// Calls a method.
  ///
  /// - Parameter word: Returns the word by which the report shows a result. For an error, the report shows the reason.
  func observe(_ method: String, _ params: JSONValue, _ word: (JSONValue) -> String) throws -> Observation {
    switch try caller.call(method, params) {
    case .success(let result): Observation(word(result), result)
    case .failure(let error): Observation(error.reason, error.data)
    }
  }

  func record(_ attempt: Attempt) { attempts.append(attempt) }

  /// Removes the attempts with this address, because no account has the address any more.
  func forget(_ email: String) { attempts.removeAll { $0.email == email } }

  func record(claim: Observation, of email: String) { claims.append((email, claim)) }

  func record(_ proof: Proof) { proofs.append(proof) }

  func record(code: String, to address: String) { codes.append((code, address)) }

  func record(invitationCode: String) { invitationCodes.append(invitationCode) }

  /// Makes later waits ignore the news of mails that have arrived so far.
  func beginNews() { newsBegin = caller.mailNews.count }
}

/// The answer to one call.
struct Observation {
  /// The error's reason, or the flow's word for the result.
  let word: String
  /// The result, or the error's data.
  let detail: JSONValue

  init(_ word: String, _ detail: JSONValue) {
    self.word = word
    self.detail = detail
  }

  var isPending: Bool { detail["pending"]?.bool == true || detail["account"]?["state"]?.string == "pending" }
}

/// An answer differs from the flow's expectation.
struct Mismatch: Error, CustomStringConvertible {
  let description: String

  /// The flow changes the environment half-way, and the environment cannot change.
  static let cannotChange = Mismatch(description: "an environment that cannot be changed was changed")
}

/// Fails unless `seen` is `expected`.
@discardableResult
func expect(_ step: String, _ seen: Observation, _ expected: String) throws -> String {
  guard seen.word == expected else {
    throw Mismatch(description: "\(step): expected \(expected), saw \(seen.word) \(seen.detail.text)")
  }
  return expected
}

/// Fails unless `holds`.
func require(_ step: String, _ holds: Bool, _ what: String, _ seen: Observation) throws {
  guard holds else { throw Mismatch(description: "\(step): expected \(what), saw \(seen.word) \(seen.detail.text)") }
}
