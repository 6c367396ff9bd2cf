/// A name and a password, as another program hands them to a helper process that it starts for a single question.
package struct HandedEntry: Equatable, Sendable {
  package let login: [UInt8]
  package let password: [UInt8]

  package init(login: some Collection<UInt8>, password: some Collection<UInt8>) {
    (self.login, self.password) = (Array(login), Array(password))
  }

  /// pam_exec's `expose_authtok`: the password alone, to its end or to a NUL. The name is in PAM_USER.
  package static func pam(login: [UInt8], _ input: [UInt8]) -> HandedEntry {
    HandedEntry(login: login, password: input.prefix { $0 != 0 })
  }

  /// Reads the input of mod_authnz_external's `pipe`. The first line is the name; all that follows, without the last line
  /// feed, is the password.
  ///
  /// - Returns: Nil if nothing follows the first line, or if the input does not end with a line feed.
  package static func apache(_ input: [UInt8]) -> HandedEntry? {
    guard let end = input.firstIndex(of: UInt8(ascii: "\n")), end + 1 < input.count, input.last == UInt8(ascii: "\n")
    else {
      return nil
    }
    return HandedEntry(login: input[..<end], password: input[(end + 1)..<(input.count - 1)])
  }

  /// The most bytes of checkpassword's input on descriptor 3.
  package static let longestCheckpassword = 512

  /// The interface of checkpassword: name and password, each followed by a NUL, and a time.
  ///
  /// - Returns: Nil if the input does not begin with two texts that end with a NUL, or is too long.
  package static func checkpassword(_ input: [UInt8]) -> HandedEntry? {
    guard input.count <= longestCheckpassword else { return nil }
    let parts = input.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    return HandedEntry(login: parts[0], password: parts[1])
  }
}
