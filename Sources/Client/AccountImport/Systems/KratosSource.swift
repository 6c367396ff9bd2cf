internal import RegdClient
internal import Registration

/// Identities with passwords, as Ory Kratos returns them from `GET /admin/identities?include_credential=password`, one page or
/// many.
struct KratosSource: AccountSource {
  let columns = WantedColumns(needed: [], optional: [])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .json(array: nil) }

  func name(_ fields: JSONValue) -> String? { fields["traits"]?.text("email") ?? fields.text("id") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    try address(fields, fields["credentials"]?["password"])
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    let password = fields["credentials"]?["password"]
    var account = SourceAccount { () throws(RecordRefusal) in
      try Self.spelled((password?["config"] ?? .null).hash("hashed_password"))
    }
    switch (fields["state"], fields.text("state")) {
    case (nil, _), (_, "active"): break
    case (_, "inactive"): account.state = .disabled
    default: throw .malformed(.member("state"))
    }
    // Kratos writes these addresses in lower case
    let proofs = (fields["verifiable_addresses"]?.array ?? []).filter {
      $0.text("value")?.lowercased() == email.lowercased()
    }
    for proof in proofs where try proof.flag("verified") != true { account.proof = .open }
    account.createdAt = try Times.created(fields.text("created_at"))
    account.id = fields.text("id")
    return account
  }

  /// The trait `email`. If a project's schema has no such trait, the only address among the password's identifiers.
  private func address(_ fields: JSONValue, _ password: JSONValue?) throws(RecordRefusal) -> String {
    if let email = fields["traits"]?.text("email") { return email }
    let identifiers = (password?["identifiers"]?.array ?? []).compactMap(\.string).filter { $0.contains("@") }
    guard let identifier = identifiers.first else { throw .noAddress }
    guard identifiers.count == 1 else { throw .addresses(identifiers.count) }
    return identifier
  }

  /// Rewrites a hash: Kratos writes the scrypt parameter N where others write its logarithm, and has its own names for hashes
  /// that it imported itself (`hash/hash_comparator.go`).
  static func spelled(_ hash: String) throws(RecordRefusal) -> String {
    let parts = hash.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2 else { return hash }
    switch parts[1] {
    case "scrypt":
      let pairs = parts[2].split(separator: ",").map(String.init)
      guard parts.count == 5, pairs.count == 3, pairs[0].hasPrefix("ln="), let size = Int(pairs[0].dropFirst(3)),
        size > 1,
        size & (size - 1) == 0
      else { throw .malformed(.member("hashed_password")) }
      let salt = Spelling.unpadded(parts[3])
      return
        "$scrypt$ln=\(size.trailingZeroBitCount),\(pairs[1]),\(pairs[2])$\(salt)$\(Spelling.unpadded(parts[4]))"
    case "firescrypt":
      let pairs = parts[2].split(separator: ",").map(String.init)
      guard parts.count == 7, pairs.count == 3, pairs[0].hasPrefix("ln=") else {
        throw .malformed(.member("hashed_password"))
      }
      // the last part is the signer key, which regd takes from its configuration
      return "$fbscrypt$v=1,n=\(pairs[0].dropFirst(3)),\(pairs[1]),\(pairs[2]),ss=\(parts[5])$\(parts[3])$\(parts[4])"
    case "sha256-crypt": return "$5$" + parts.dropFirst(2).joined(separator: "$")
    case "sha512-crypt": return "$6$" + parts.dropFirst(2).joined(separator: "$")
    default: return hash
    }
  }
}
