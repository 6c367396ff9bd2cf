internal import RegdClient
internal import Registration
internal import WireFormats

/// ASP.NET Core Identity's table `AspNetUsers`: rows of CSV, or JSON.
struct AspNetSource: AccountSource {
  let now: Timestamp

  let columns = WantedColumns(
    needed: ["id", "email", "passwordhash"], optional: ["emailconfirmed", "lockoutend", "lockoutenddateutc"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { jsonOrRows(beginning) }

  func name(_ fields: JSONValue) -> String? { member("Email", fields) ?? member("Id", fields) }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    guard let email = member("Email", fields) else { throw .noAddress }
    return email
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    var account = SourceAccount { () throws(RecordRefusal) in
      guard let hash = member("PasswordHash", fields) else { throw .noPassword }
      return try Self.spelled(hash)
    }
    // the second name is that of ASP.NET Identity, the predecessor
    for end in ["LockoutEnd", "LockoutEndDateUtc"] where try fields.isLater(spelling(end, fields), than: now) {
      account.state = .disabled
    }
    account.proof = try fields.proof(spelling("EmailConfirmed", fields))
    account.id = member("Id", fields)
    return account
  }

  private func member(_ name: String, _ fields: JSONValue) -> String? { fields.text(spelling(name, fields)) }

  /// The name of a column as the record has it: JSON as given, CSV in lower case.
  private func spelling(_ name: String, _ fields: JSONValue) -> String {
    fields[name] == nil ? name.lowercased() : name
  }

  /// Rewrites a hash of ASP.NET Core Identity's `PasswordHasher` as a PHC string. Byte 0 of the hash is its version.
  /// Version 0: 16 bytes of salt, then PBKDF2 over SHA-1 with 1000 iterations. Version 1: function, iterations and
  /// length of the salt as big-endian 32-bit numbers, then the salt and the value of PBKDF2.
  static func spelled(_ hash: String) throws(RecordRefusal) -> String {
    guard let bytes = Base64.decoded(hash.utf8, allowsStrayBits: true), let version = bytes.first else {
      throw .malformed(.member("PasswordHash"))
    }
    if version == 0, bytes.count == 49 { return phc("sha1", 1000, bytes[1..<17], bytes[17...]) }
    guard version == 1, bytes.count > 13 else { throw .malformed(.member("PasswordHash")) }
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard let function = [0: "sha1", 1: "sha256", 2: "sha512"][number(1)], number(9) < bytes.count - 13 else {
      throw .malformed(.member("PasswordHash"))
    }
    let saltEnd = 13 + number(9)
    return phc(function, number(5), bytes[13..<saltEnd], bytes[saltEnd...])
  }

  private static func phc(
    _ function: String, _ iterations: Int, _ salt: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>
  ) -> String {
    let (salt, value) = (Base64.encoded(salt, isPadded: false), Base64.encoded(value, isPadded: false))
    return "$pbkdf2-\(function)$i=\(iterations)$\(salt)$\(value)"
  }
}
