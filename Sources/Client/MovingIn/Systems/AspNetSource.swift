internal import RegdClient
internal import Registration

/// ASP.NET Core Identity's table `AspNetUsers`: rows of CSV, or JSON.
struct AspNetSource: AccountSource {
  let now: Timestamp

  let columns = WantedColumns(
    needed: ["id", "email", "passwordhash"], optional: ["emailconfirmed", "lockoutenabled", "lockoutend"])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { jsonOrRows(beginning) }

  func name(_ fields: JSONValue) -> String? { member("Email", fields) ?? member("Id", fields) }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    guard let email = member("Email", fields) else { throw .noAddress }
    return email
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    guard let hash = member("PasswordHash", fields) else { throw .noPassword }
    var account = SourceAccount(passwordHash: try Self.spelled(hash))
    if let end = try Times.read(member("LockoutEnd", fields).map(Self.rejoined)), end > now {
      account.state = .disabled
    }
    let spelling = fields["EmailConfirmed"] == nil ? "emailconfirmed" : "EmailConfirmed"
    if try fields.flag(spelling) == false { account.proof = .open }
    account.id = member("Id", fields)
    return account
  }

  /// The text of a column. JSON members have the column's name as given; CSV columns have it in lower case.
  private func member(_ name: String, _ fields: JSONValue) -> String? {
    fields.text(name) ?? fields.text(name.lowercased())
  }

  /// Removes the space that SQL Server writes before the offset.
  private static func rejoined(_ time: String) -> String {
    guard let space = time.lastIndex(of: " "), time[space...].dropFirst().first.map({ "+-".contains($0) }) == true
    else { return time }
    return String(time[..<space] + time[space...].dropFirst())
  }

  /// Rewrites a hash of ASP.NET Core Identity's `PasswordHasher` as a PHC string. Byte 0 of the hash is its version.
  /// Version 0: 16 bytes of salt, then PBKDF2 over SHA-1 with 1000 iterations. Version 1: function, iterations and
  /// length of the salt as big-endian 32-bit numbers, then the salt and the value of PBKDF2.
  static func spelled(_ hash: String) throws(RecordRefusal) -> String {
    guard let bytes = Base64.decode(hash.utf8), let version = bytes.first else {
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
    "$pbkdf2-\(function)$i=\(iterations)$\(Base64.encoded(salt))$\(Base64.encoded(value))"
  }
}
