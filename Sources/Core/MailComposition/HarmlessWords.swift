/// Cleans a mail system's message about a mail, for operators: removes addresses and codes, which the message may quote
/// from the mail.
package enum HarmlessWords {
  private static let longest = 200

  /// Returns one line of at most 200 characters: visible ASCII, with an ellipsis for each address and code.
  package static func of(_ text: String) -> String {
    let ascii = String(String.UnicodeScalarView(text.unicodeScalars.map { 0x21...0x7E ~= $0.value ? $0 : " " }))
    let words = ascii.split(separator: " ").map { $0.contains("@") ? "…" : String($0) }
    return String(withoutCodes(words).joined(separator: " ").prefix(longest))
  }

  /// Replaces each run of six digits or more, even if it is split into groups, because a mailed code has at least six
  /// digits (`registration.codeDigits`). Reply codes, dates and host addresses have fewer digits in one piece, and
  /// remain.
  private static func withoutCodes(_ words: [String]) -> [String] {
    var kept: [String] = []
    var group: [String] = []
    func put() {
      kept += group.joined().count(where: \.isNumber) >= 6 && !group.isEmpty ? ["…"] : group
      group = []
    }
    for word in words {
      let digits = word.filter(\.isNumber)
      if word.contains(/[0-9](-?[0-9]){5,}/) {
        put()
        kept.append("…")
      } else if digits == word, group.count < 10 {
        group.append(word)
      } else {
        put()
        kept.append(word)
      }
    }
    put()
    return kept
  }
}
