internal import RegdClient
internal import Registration

/// A realm or its users as `kc.sh export` writes them (`UserRepresentation` and `CredentialRepresentation` of Keycloak 26).
struct KeycloakSource: AccountSource {
  let columns = WantedColumns(needed: [], optional: [])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .json(array: "users") }

  func name(_ fields: JSONValue) -> String? { fields.text("email") ?? fields.text("username") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if fields.text("serviceAccountClientId") != nil { throw .machine }
    return try fields.address("email")
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    let passwords = (fields["credentials"]?.array ?? []).filter { $0["type"]?.string == "password" }
    var account = SourceAccount { () throws(RecordRefusal) in
      guard let password = passwords.first else { throw .noPassword }
      guard passwords.count == 1 else { throw .passwords(passwords.count) }
      return try hash(password)
    }
    if try !fields.isOn("enabled") { account.state = .disabled }
    // Keycloak takes an address without this member as not proven
    if try fields.flag("emailVerified") != true {
      let mustProve = (fields["requiredActions"]?.array ?? []).contains { $0.string == "VERIFY_EMAIL" }
      account.proof = mustProve ? .shut : .open
    }
    account.createdAt = try Times.milliseconds(fields.text("createdTimestamp"))
    account.id = fields.text("id")
    account.groups = try groups(fields)
    return account
  }

  /// The names of the user's groups, which Keycloak writes as paths. The path of a group below another one remains a path, which
  /// is not a group name.
  private func groups(_ fields: JSONValue) throws(RecordRefusal) -> [String] {
    let paths = try fields.elements("groups")
    let names = paths.compactMap(\.string).map { path in
      let name = path.dropFirst(path.hasPrefix("/") ? 1 : 0)
      return name.contains("/") ? path : String(name)
    }
    guard names.count == paths.count else { throw .malformed(.member("groups")) }
    return names
  }

  /// The hash of a credential, whose members `secretData` and `credentialData` are strings that contain JSON.
  private func hash(_ credential: JSONValue) throws(RecordRefusal) -> String {
    guard let secret = credential.text("secretData").flatMap({ JSONValue($0.utf8) }) else {
      throw .malformed(.member("secretData"))
    }
    guard let data = credential.text("credentialData").flatMap({ JSONValue($0.utf8) }),
      let iterations = data.text("hashIterations"), let algorithm = data.text("algorithm")
    else { throw .malformed(.member("credentialData")) }
    guard let value = secret.text("value"), let salt = secret.text("salt") else {
      throw .malformed(.member("secretData"))
    }
    let end = "$\(Spelling.unpadded(salt))$\(Spelling.unpadded(value))"
    switch algorithm {
    case "pbkdf2": return "$pbkdf2-sha1$i=\(iterations)\(end)"
    case "pbkdf2-sha256", "pbkdf2-sha512": return "$\(algorithm)$i=\(iterations)\(end)"
    case "argon2": return try argon2(data["additionalParameters"] ?? .null, iterations) + end
    default: throw .family("Keycloak's \(algorithm.prefix(40))")
    }
  }

  private func argon2(_ parameters: JSONValue, _ iterations: String) throws(RecordRefusal) -> String {
    func first(_ name: String) throws(RecordRefusal) -> String {
      guard let text = parameters[name]?.array?.first?.string else { throw .malformed(.member(name)) }
      return text
    }
    let versions = ["1.3": "19", "1.0": "16"]
    let version = try first("version")
    guard let number = versions[version] else { throw .malformed(.member("version")) }
    return
      "$argon2\(try first("type"))$v=\(number)$m=\(try first("memory")),t=\(iterations),p=\(try first("parallelism"))"
  }
}

/// Adapts the spelling of other systems' hashes to that of regd.
enum Spelling {
  /// Base64 without padding.
  static func unpadded(_ base64: String) -> String { String(base64.prefix { $0 != "=" }) }

  /// Base64 in the standard alphabet, from either alphabet.
  static func standard(_ base64: String) -> String {
    String(base64.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
  }
}
