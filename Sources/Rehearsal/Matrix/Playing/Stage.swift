internal import RegdClient
internal import RehearsedNetworks

/// What a flow plays on: a running regd, one caller, one environment that may change.
final class Stage {
  let environment: Environment
  let fixture: Fixture
  private(set) var caller: Caller
  /// The registrations that the caller has tried, in order.
  private(set) var attempts: [Attempt] = []
  /// The claims that registrations were answered with, or not, in order.
  private(set) var claims: [(email: String, observation: Observation)] = []
  private(set) var proofs: [Proof] = []
  /// Codes that were read in mails, and to whom. The invariants look for them where they must not be.
  private(set) var codes: [(code: String, address: String)] = []
  /// Waiting for mails counts what was told from here on.
  private(set) var newsBegin = 0

  /// The shipped environments accept them. The invariants look for them in all that regd sends and writes.
  static let password = "s3cret-Passw0rd-of-the-matrix"
  static let otherPassword = "an0ther-Passw0rd-of-the-matrix"
  static let wrongPassword = "a-wrong-Passw0rd-of-the-matrix"
  static let passwords = [password, otherPassword, wrongPassword]

  /// One registration, and its answer.
  struct Attempt {
    let email: String
    let password: String
    let request: String?
    let observation: Observation
  }

  /// A claim that was proven, and what its account is.
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
  /// - Throws: If the condition has none: the flow has put it into the wrong case.
  var fault: EnvironmentCondition.Fault {
    get throws {
      guard let fault = condition.fault else { throw Mismatch(description: "\(condition) has no fault") }
      return fault
    }
  }

  /// From here on the upstream works.
  func playSuccess() throws { try fixture.play(Script()) }

  /// From here on the environment is what its file says.
  func playEnvironment() throws { try fixture.play(environment.script ?? Script()) }

  /// Kills regd and starts it again; the upstream works from then on.
  func restart() throws {
    try fixture.restart()
    caller = try Caller(fixture.socket, after: caller)
  }

  /// Calls a method.
  ///
  /// - Parameter word: What the table shows for a result. For an error it shows the reason.
  func observe(_ method: String, _ params: JSONValue, _ word: (JSONValue) -> String) throws -> Observation {
    switch try caller.call(method, params) {
    case .success(let result): Observation(word(result), result)
    case .failure(let error): Observation(error.reason, error.data)
    }
  }

  func record(_ attempt: Attempt) { attempts.append(attempt) }

  /// The account has another address.
  func forget(_ email: String) { attempts.removeAll { $0.email == email } }

  func record(claim: Observation, of email: String) { claims.append((email, claim)) }

  func record(_ proof: Proof) { proofs.append(proof) }

  func record(code: String, to address: String) { codes.append((code, address)) }

  /// What was told of mails until now counts no more.
  func beginNews() { newsBegin = caller.mailNews.count }
}

/// The answer to one call.
struct Observation {
  /// The reason of an error, or a word for a result.
  let word: String
  /// The result, or the error's data.
  let detail: JSONValue

  init(_ word: String, _ detail: JSONValue) {
    self.word = word
    self.detail = detail
  }

  var isPending: Bool { detail["pending"]?.bool == true || detail["account"]?["state"]?.string == "pending" }
}

/// An answer is not the one that the flow expects.
struct Mismatch: Error, CustomStringConvertible {
  let description: String

  /// The flow changes the environment half-way, and this one cannot be changed.
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
