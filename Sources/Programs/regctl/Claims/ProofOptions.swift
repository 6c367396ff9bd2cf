internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient

/// Options of commands whose request may become a claim: whether to wait for the mailed code, and the mail's language.
struct ProofOptions: ParsableArguments {
  @Flag(help: .said(CommonHelp.noWait))
  var noWait = false

  @Option(help: .said(CommonHelp.mailLanguage)) var language: String?

  /// Adds the language, if one is given, to the params.
  func adding(_ params: JSONValue) -> JSONValue {
    params.adding("language", language.map(JSONValue.string))
  }
}

/// A claim as regd sends it to its caller.
struct Claim {
  let id: String
  let email: String
  let expiresAt: String

  /// Reads the claim in a result. Returns nil if the result contains no claim, because regd has done the request at once.
  init?(_ result: JSONValue) {
    guard let claim = result["claim"] else { return nil }
    (id, email, expiresAt) = (claim.shown("id"), claim.shown("email"), claim.time("expiresAt"))
  }
}
