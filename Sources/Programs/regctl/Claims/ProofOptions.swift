internal import ArgumentParser
internal import RegdClient
internal import Sentences

/// How a command that makes a claim gets the code that is mailed for it.
struct ProofOptions: ParsableArguments {
  @Flag(help: .said(CommonHelp.noWait))
  var noWait = false

  @Option(help: .said(CommonHelp.mailLanguage)) var language: String?

  /// The params with the language, if one is wished for.
  func adding(_ params: JSONValue) -> JSONValue {
    guard let language, case .object(let members) = params else { return params }
    return .object(members + [.init("language", .string(language))])
  }
}

/// A claim as regd sends it to the caller that it is given to.
struct Claim {
  let id: String
  let email: String
  let expiresAt: String

  /// - Returns: Nil where the result has none: regd has done at once what was asked for.
  init?(_ result: JSONValue) {
    guard let claim = result["claim"] else { return nil }
    id = claim["id"]?.string ?? "?"
    email = claim["email"]?.string ?? "?"
    expiresAt = "\((claim["expiresAt"]?.string ?? "?").prefix(19))Z"
  }
}
