package import RegdClient

/// Where a flow plays: one running regd, one caller, one condition.
package struct Stage {
  package let condition: Condition
  package let client: RegdClient

  /// A password that the shipped environments take, and that is searched for in what regd logs.
  static let password = "s3cret-Passw0rd-of-the-matrix"

  /// Calls a method and says what was seen, as the table has it: the reason of an error, or a word for the result.
  func see(_ method: String, _ params: JSONValue, _ word: (JSONValue) -> String) throws -> Sight {
    switch try client.call(method, params) {
    case .success(let result): Sight(word(result), result)
    case .failure(let error): Sight(error.reason, error.data)
    }
  }
}

/// What a caller saw of one call.
package struct Sight {
  /// The reason of an error, or a word for a result.
  package let word: String
  /// The result, or the error's data.
  package let detail: JSONValue

  init(_ word: String, _ detail: JSONValue) {
    self.word = word
    self.detail = detail
  }
}

/// What was seen is not what the flow says must be seen.
package struct Mismatch: Error, CustomStringConvertible {
  package let description: String
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
  guard holds else { throw Mismatch(description: "\(step): expected \(what), saw \(seen.detail.text)") }
}
