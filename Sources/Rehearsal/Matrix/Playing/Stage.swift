internal import RegdClient
internal import RehearsedNetworks

/// Where a flow plays: a running regd, one caller, one environment that may change.
final class Stage {
  let environment: Environment
  private let world: World
  private(set) var caller: Caller
  /// What registrations were told, in order.
  private(set) var told: [Told] = []

  /// A password that the shipped environments take; and others. They are searched for in all that regd says and writes.
  static let password = "s3cret-Passw0rd-of-the-matrix"
  static let otherPassword = "an0ther-Passw0rd-of-the-matrix"
  static let wrongPassword = "a-wrong-Passw0rd-of-the-matrix"
  static let passwords = [password, otherPassword, wrongPassword]

  /// One registration, and what its caller was told.
  struct Told {
    let email: String
    let password: String
    let request: String?
    let sight: Sight
  }

  init(_ environment: Environment, _ world: World) throws {
    self.environment = environment
    self.world = world
    caller = try Caller(world.socket)
  }

  var condition: EnvironmentCondition { environment.condition }

  /// From here on everything works.
  func becomesWell() throws { try world.play(nil) }

  /// From here on the environment is what its file says.
  func becomesItself() throws { try world.play(environment.script) }

  /// regd is killed, and started anew; from then on everything works.
  func restart() throws {
    try world.restart()
    let before = caller.heard
    caller = try Caller(world.socket)
    caller.hasHeard(before)
  }

  /// Calls a method and says what was seen, as the table has it: the reason of an error, or a word for the result.
  func see(_ method: String, _ params: JSONValue, _ word: (JSONValue) -> String) throws -> Sight {
    switch try caller.call(method, params) {
    case .success(let result): Sight(word(result), result)
    case .failure(let error): Sight(error.reason, error.data)
    }
  }

  func note(_ told: Told) { self.told.append(told) }
}

/// What a caller saw of one call.
struct Sight {
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

/// What is seen is not what the flow says must be seen.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}

/// Fails unless `seen` is `expected`.
@discardableResult
func expect(_ step: String, _ seen: Sight, _ expected: String) throws -> String {
  guard seen.word == expected else {
    throw Mismatch(description: "\(step): expected \(expected), saw \(seen.word) \(seen.detail.text)")
  }
  return expected
}

/// Fails unless `holds`.
func require(_ step: String, _ holds: Bool, _ what: String, _ seen: Sight) throws {
  guard holds else { throw Mismatch(description: "\(step): expected \(what), saw \(seen.word) \(seen.detail.text)") }
}
