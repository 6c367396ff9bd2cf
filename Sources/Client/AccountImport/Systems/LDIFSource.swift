internal import RegdClient
internal import Registration

/// Entries of a directory, as `slapcat` or `ldapsearch` writes them. An entry with neither password nor address is
/// skipped, because it is not a person's. Members of a group are read from their `memberOf`, and from the group's entry if it is a
/// `groupOfNames`.
struct LDIFSource: AccountSource {
  let columns = WantedColumns(
    needed: [],
    optional: [
      "dn", "changetype", "mail", "userpassword", "entryuuid", "createtimestamp", "pwdaccountlockedtime",
      "nsaccountlock", "nsroledn", "accountunlocktime", "krbprincipalexpiration", "shadowexpire", "pwdstarttime",
      "pwdendtime", "memberof", "objectclass", LDIFRecords.member,
    ])

  let now: Timestamp

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .ldif }

  func name(_ fields: JSONValue) -> String? { values("dn", of: fields).first }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if fields["changetype"] != nil { throw .change }
    if isGroup(fields), values("userpassword", of: fields).isEmpty { return nil }
    let addresses = values("mail", of: fields)
    guard !addresses.isEmpty || !values("userpassword", of: fields).isEmpty, fields["dn"] != nil else { return nil }
    if isIn("cn=deletedusers", fields) { throw .deleted }
    guard let email = addresses.first else { throw .noAddress }
    guard addresses.count == 1 else { throw .addresses(addresses.count) }
    return email
  }

  private func isGroup(_ fields: JSONValue) -> Bool {
    values("objectclass", of: fields).contains { $0.lowercased() == "groupofnames" }
  }

  func group(_ fields: JSONValue) -> SourceGroup? {
    guard isGroup(fields), fields["changetype"] == nil, let name = values("dn", of: fields).first else { return nil }
    return SourceGroup(name: Self.groupName(name), keys: members(fields))
  }

  func members(_ fields: JSONValue) -> [String] {
    values(LDIFRecords.member, of: fields).map { DirectoryName($0).key }
  }

  /// The name of a group's entry, without the names of the entries above, or the whole name if it does not begin with `cn`.
  private static func groupName(_ name: String) -> String { DirectoryName(name).commonName ?? name }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    let passwords = values("userpassword", of: fields).map(Self.unlocked)
    var account = SourceAccount { () throws(RecordRefusal) in
      guard let hash = passwords.first?.hash else { throw .noPassword }
      guard passwords.count == 1 else { throw .passwords(passwords.count) }
      if hash.isEmpty { throw .noPassword }
      guard hash.hasPrefix("{") else { throw .clearPassword }
      return hash
    }
    if !passwords.isEmpty, passwords.allSatisfy(\.isLocked) { account.state = .disabled }
    if try isLocked(fields) { account.state = .disabled }
    if try isExpired(fields) { account.state = .disabled }
    // FreeIPA keeps here whom an administrator has not activated yet
    if isIn("cn=stagedusers", fields) { account.state = .disabled }
    account.createdAt = try Times.generalized(values("createtimestamp", of: fields).first)
    account.id = values("entryuuid", of: fields).first
    account.groups = values("memberof", of: fields).map(Self.groupName)
    account.memberKey = values("dn", of: fields).first.map { DirectoryName($0).key }
    return account
  }

  /// Removes the marks of a locked hash. A text without a scheme is the password itself, which may begin with any character.
  private static func unlocked(_ value: String) -> (hash: String, isLocked: Bool) {
    let (hash, isLocked) = LockMark.unlocked(value)
    return hash.isEmpty || hash.hasPrefix("{") ? (hash, isLocked) : (value, false)
  }

  private func isLocked(_ fields: JSONValue) throws(RecordRefusal) -> Bool {
    // OpenLDAP's password policy writes the year 0000 for a lock without end
    if let lock = values("pwdaccountlockedtime", of: fields).first, lock.hasPrefix("00000101") { return true }
    // 389 Directory Server writes the time 0 for a lock without end
    if let unlock = values("accountunlocktime", of: fields).first, ["0", "19700101000000Z"].contains(unlock) {
      return true
    }
    // ns-inactivate.pl of older versions of 389 Directory Server adds this role
    let roles = values("nsroledn", of: fields).map { $0.lowercased().filter { $0 != " " } }
    if roles.contains(where: { $0.hasPrefix("cn=nsmanageddisabledrole,") }) { return true }
    switch values("nsaccountlock", of: fields).first?.lowercased() {
    case nil, "false": return false
    case "true": return true
    case .some: throw .malformed(.member("nsAccountLock"))
    }
  }

  private func isExpired(_ fields: JSONValue) throws(RecordRefusal) -> Bool {
    for name in ["krbPrincipalExpiration", "pwdEndTime"] {
      if let end = try time(name, of: fields), end <= now { return true }
    }
    // until this time, the owner cannot sign in
    if let start = try time("pwdStartTime", of: fields), start > now { return true }
    guard let text = values("shadowexpire", of: fields).first else { return false }
    guard let day = Int64(text) else { throw .malformed(.member("shadowExpire")) }
    return ShadowDay.isOver(day, now)
  }

  private func time(_ name: String, of fields: JSONValue) throws(RecordRefusal) -> Timestamp? {
    guard let text = values(name.lowercased(), of: fields).first else { return nil }
    guard let time = Times.generalizedTime(text) else { throw .malformed(.member(name)) }
    return time
  }

  /// Whether the entry is below this part of FreeIPA's tree for accounts that are not in use.
  ///
  /// - Parameter part: Without its spaces.
  private func isIn(_ part: String, _ fields: JSONValue) -> Bool {
    let name = values("dn", of: fields).first?.lowercased() ?? ""
    return name.filter { $0 != " " }.contains(",\(part),cn=accounts,cn=provisioning,")
  }

  private func values(_ name: String, of fields: JSONValue) -> [String] {
    (fields[name]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
  }
}

/// The distinguished name of an entry of a directory (RFC 4514), read as far as groups need it.
struct DirectoryName {
  /// Equal for different spellings of a name: case, spaces and escapes.
  let key: String
  /// The value of the entry's own attribute `cn`, or nil if its name begins with another attribute.
  let commonName: String?

  init(_ text: String) {
    let parts = Self.parts(of: text).map { part in
      let type = part.prefix { $0 != UInt8(ascii: "=") }
      return (type: Self.words(type).lowercased(), value: Self.words(part.dropFirst(type.count + 1)))
    }
    // no value of a name contains NUL
    key = parts.map { "\($0.type)=\($0.value.lowercased())" }.joined(separator: "\0")
    commonName = parts.first.flatMap { $0.type == "cn" ? $0.value : nil }
  }

  /// Each attribute with its value, without escapes.
  private static func parts(of text: String) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var part: ArraySlice<UInt8> = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "+"):
        parts.append(part)
        part = []
      case UInt8(ascii: "\\"):
        guard let sign = rest.popFirst() else { break }
        if let high = digit(sign), let low = rest.first.flatMap(digit) {
          rest = rest.dropFirst()
          part.append(high << 4 | low)
        } else {
          part.append(sign)
        }
      default: part.append(byte)
      }
    }
    return parts + [part]
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
  }

  /// The text with one space between words, and none at its ends.
  private static func words(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: " ").joined(separator: " ")
  }
}
