internal import RegdClient
internal import Registration

/// Lines of shadow(5), of Apache's htpasswd, or of Dovecot's passwd-file: a name, a hash, and fields that differ. The field
/// with the number 7 is shadow(5)'s day of expiry, or the first of Dovecot's extra fields.
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
    let (hash, isLocked) = LockMark.unlocked(fields.text("1") ?? "")
    var account = SourceAccount { () throws(RecordRefusal) in
      if ["", "x"].contains(hash) { throw .noPassword }
      guard let scheme = Self.scheme(hash) else { throw .clearPassword }
      return scheme
    }
    if isLocked || isOff(fields) { account.state = .disabled }
    account.id = fields.text("0")
    return account
  }

  /// Whether the account has expired (shadow(5)), or Dovecot refuses its owner even with the correct password.
  /// Dovecot's extra fields may contain colons, as an IPv6 network does.
  private func isOff(_ fields: JSONValue) -> Bool {
    var extra = ""
    for number in 7... {
      guard let text = fields["\(number)"]?.string else { break }
      extra += number == 7 ? text : ":" + text
    }
    if let day = fields.text("7").flatMap({ Int64($0) }) { return ShadowDay.isOver(day, now) }
    let names = extra.split { $0 == " " || $0 == "\t" }.map { $0.prefix { $0 != "=" }.lowercased() }
    return names.contains("nologin") || names.contains("fail")
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

/// A day of expiry as shadow(5) counts it: in days since 1970.
enum ShadowDay {
  /// Whether an account with this day has expired. A negative day means that there is no such day. PAM treats the day 0
  /// as one that has passed.
  static func isOver(_ day: Int64, _ now: Timestamp) -> Bool { day >= 0 && day <= now.microseconds / 86_400_000_000 }
}

/// The marks by which an operator's tools lock a hash, so that no password fits it: `!`, `*`, `*LK*` and `*LOCKED*`.
enum LockMark {
  private static let words = ["*LOCKED*", "*LK*", "*NP*"]
  /// Schemes whose text is the password itself, which may begin with any character.
  private static let clear = ["{PLAIN}", "{CLEAR}", "{CLEARTEXT}"]

  /// Removes the marks before a hash, where passwd(1), usermod(8) and vipw(8) write them, and those after a scheme such as
  /// `{CRYPT}`, where usermod(8) on a directory and LDAP Account Manager write them.
  ///
  /// - Returns: The hash, which is empty if the field has only marks, and whether there was a mark.
  static func unlocked(_ field: String) -> (hash: String, isLocked: Bool) {
    let hash = withoutMarks(field[...])
    guard hash.hasPrefix("{"), let end = hash.firstIndex(of: "}"), !clear.contains(hash[...end].uppercased()) else {
      return (String(hash), hash.count < field.count)
    }
    let rest = hash[hash.index(after: end)...]
    let inner = withoutMarks(rest)
    let isLocked = hash.count < field.count || inner.count < rest.count
    return (inner.isEmpty && isLocked ? "" : String(hash[...end] + inner), isLocked)
  }

  private static func withoutMarks(_ text: Substring) -> Substring {
    var text = text
    while true {
      if let word = words.first(where: text.hasPrefix) {
        text = text.dropFirst(word.count)
      } else if text.hasPrefix("!") || text.hasPrefix("*") {
        text = text.dropFirst()
      } else {
        return text
      }
    }
  }
}
