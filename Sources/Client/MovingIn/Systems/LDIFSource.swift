internal import RegdClient
internal import Registration

/// Entries of a directory, as `slapcat` or `ldapsearch` writes them. An entry with neither password nor address is
/// skipped, because it is not a person's.
struct LDIFSource: AccountSource {
  let columns = WantedColumns(
    needed: [],
    optional: [
      "dn", "changetype", "mail", "userpassword", "entryuuid", "createtimestamp", "pwdaccountlockedtime",
      "nsaccountlock",
    ])

  func format(_ beginning: ArraySlice<UInt8>) -> RecordFormat { .ldif }

  func name(_ fields: JSONValue) -> String? { values("dn", of: fields).first }

  func email(_ fields: JSONValue) throws(RecordRefusal) -> String? {
    if fields["changetype"] != nil { throw .change }
    let addresses = values("mail", of: fields)
    guard !addresses.isEmpty || !values("userpassword", of: fields).isEmpty, fields["dn"] != nil else { return nil }
    guard let email = addresses.first else { throw .noAddress }
    guard addresses.count == 1 else { throw .addresses(addresses.count) }
    return email
  }

  func account(_ fields: JSONValue, _ email: String) throws(RecordRefusal) -> SourceAccount {
    let passwords = values("userpassword", of: fields)
    guard let hash = passwords.first else { throw .noPassword }
    guard passwords.count == 1 else { throw .passwords(passwords.count) }
    guard hash.hasPrefix("{") else { throw .clearPassword }
    var account = SourceAccount(passwordHash: hash)
    // OpenLDAP's password policy writes the year 0000 for a lock without end; 389 Directory Server has an attribute for
    // that
    if let lock = values("pwdaccountlockedtime", of: fields).first, lock.hasPrefix("00000101") {
      account.state = .disabled
    }
    if values("nsaccountlock", of: fields).first?.lowercased() == "true" { account.state = .disabled }
    account.createdAt = try Times.generalized(values("createtimestamp", of: fields).first)
    account.id = values("entryuuid", of: fields).first
    return account
  }

  private func values(_ name: String, of fields: JSONValue) -> [String] {
    (fields[name]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
  }
}
