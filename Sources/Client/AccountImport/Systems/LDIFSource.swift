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
