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
