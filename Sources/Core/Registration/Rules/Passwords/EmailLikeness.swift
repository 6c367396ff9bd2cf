/// Compares a password with the address, its local part, its domain and the domain's first label.
enum EmailLikeness {
  /// No address has more bytes: RFC 5321 §4.5.3.1.3 allows 256 for a path, which is an address in angle brackets.
  static let longestEmail = 256

  /// - Parameters: Both are case-folded. The address may be any text.
  static func resembles(_ password: UnsafeRawBufferPointer, _ email: [UInt8]) -> Bool {
    if password.elementsEqual(email) { return true }
    guard let at = email.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let domain = email[(at + 1)...]
    return password.elementsEqual(email[..<at]) || password.elementsEqual(domain)
      || password.elementsEqual(domain.prefix { $0 != UInt8(ascii: ".") })
  }

  /// Compares as the other function does, but on the hot path and for ASCII. Allocates nothing.
  static func resembles(_ entry: PlainEntry) -> Bool {
    let (password, email) = (entry.password, entry.email)
    guard password.count <= email.count else { return false }
    let domain = UnsafeRawBufferPointer(rebasing: email[(entry.at + 1)...])
    let label = UnsafeRawBufferPointer(rebasing: domain[..<(domain.firstIndex(of: UInt8(ascii: ".")) ?? domain.count)])
    return ASCII.areSame(password, email) || ASCII.areSame(password, domain) || ASCII.areSame(password, label)
      || ASCII.areSame(password, UnsafeRawBufferPointer(rebasing: email[..<entry.at]))
  }
}
