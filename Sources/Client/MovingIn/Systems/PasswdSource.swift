internal import RegdClient
internal import Registration

/// Lines of shadow(5), of Apache's htpasswd, or of Dovecot's passwd-file: a name, a hash, and fields that only shadow(5)
/// defines.
struct PasswdSource: AccountSource {
  let domain: String?
  let now: Timestamp

  let columns = WantedColumns(needed: [], optional: [])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .colons }

  func name(_ fields: JSONValue) -> String? { fields.text("0") }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    // an asterisk marks accounts of the machine's own programs, which never have a password
    if ["*", "!*"].contains(fields.text("1")) { return nil }
    guard let name = fields.text("0") else { throw .noAddress }
    if name.contains("@") { return name }
    guard let domain else { throw .bareName }
    return "\(name)@\(domain)"
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    var hash = fields.text("1") ?? ""
    var state = Account.State.active
    // usermod(8) locks a password with a leading exclamation mark
    if hash.hasPrefix("!"), hash.contains("$") {
      hash.removeFirst()
      state = .disabled
    }
    if ["", "!", "!!", "x", "*LK*", "*NP*"].contains(hash) { throw .noPassword }
    guard let scheme = Self.scheme(hash) else { throw .clearPassword }
    if let day = fields.text("7").flatMap({ Int64($0) }), day > 0, day <= now.microseconds / 86_400_000_000 {
      state = .disabled
    }
    return SourceAccount(passwordHash: scheme, state: state, id: fields.text("0"))
  }

  /// The hash in regd's spelling: without the prefix, such as `{CRYPT}`, that Dovecot writes before a hash of crypt(3)
  /// or Argon2. Nil if the text does not look like a hash.
  private static func scheme(_ hash: String) -> String? {
    if hash.hasPrefix("$") { return hash }
    guard hash.hasPrefix("{"), let end = hash.firstIndex(of: "}") else {
      return HashFamily.tooFast(hash).map { _ in hash }
    }
    let outer = ["{CRYPT}", "{BLF-CRYPT}", "{SHA256-CRYPT}", "{SHA512-CRYPT}", "{ARGON2I}", "{ARGON2ID}"]
    return outer.contains(hash[...end].uppercased()) ? String(hash[hash.index(after: end)...]) : hash
  }
}
