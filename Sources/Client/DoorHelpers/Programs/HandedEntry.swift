package import Linux
internal import SecureMemory

/// A name and a password, as another program hands them to a helper process that it starts for a single question.
package struct HandedEntry: Equatable, Sendable {
  package let login: [UInt8]
  package let password: [UInt8]

  package init(login: some Collection<UInt8>, password: some Collection<UInt8>) {
    (self.login, self.password) = (Array(login), Array(password))
  }

  /// The entry for input that no program hands over for an account: regd has nothing to decide, and the answer is "wrong".
  package static let impossible = HandedEntry(login: [], password: [])

  /// The most bytes of the input of `pam` and `apache`: those of the longest name and password, and their line ends.
  package static let longest = 2 * Credentials.longest + 2

  /// pam_exec's `expose_authtok`: the password alone, to its end or to a NUL. The name is in PAM_USER.
  package static func pam(login: [UInt8], _ input: [UInt8]) -> HandedEntry {
    HandedEntry(login: login, password: input.prefix { $0 != 0 })
  }

  /// Reads the input of mod_authnz_external's `pipe`: two lines, the name and the password.
  ///
  /// Apache passes a line feed in a name on unchanged, and `REMOTE_USER` contains the whole name. If there are more
  /// than two lines, it is therefore unknown where the name ends. With the name `me\nmy password\n`, the first line
  /// would sign in an account that differs from the name that the application gets.
  ///
  /// - Returns: `impossible` for more than two lines, and for input that is too long. Nil if the input ends before the
  ///   second line does.
  package static func apache(_ input: [UInt8]) -> HandedEntry? {
    guard input.count <= longest else { return impossible }
    let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count >= 3 else { return nil }
    guard lines.count == 3, lines[2].isEmpty else { return impossible }
    return HandedEntry(login: lines[0], password: lines[1])
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

/// The input of a helper process that another program (such as pam_exec) starts for a single question.
package enum HandedInput {
  /// Reads to the end of the input, or until `isWhole` returns true.
  ///
  /// - Parameters:
  ///   - limit: The most bytes. Of a longer input, `limit` + 1 bytes are returned, so that the caller notices.
  ///   - seconds: How long reading may take.
  /// - Returns: Nil if reading takes longer than `seconds`, or fails.
  package static func read(
    _ input: borrowing Descriptor, atMost limit: Int, seconds: Int, until isWhole: ([UInt8]) -> Bool = { _ in false }
  ) -> [UInt8]? {
    let deadline = MonotonicInstant.now + .seconds(seconds)
    var bytes: [UInt8] = []
    // reserves enough, because an array that grows frees its old storage without wiping the password in it
    bytes.reserveCapacity(2 * limit + 2)
    while bytes.count <= limit, !isWhole(bytes) {
      let left = deadline - .now
      guard left > .zero, Polling.isReady(.readable(input.number), atMost: left),
        var chunk = try? input.read(atMost: limit + 1 - bytes.count)
      else { return nil }
      if chunk.isEmpty { break }
      bytes += chunk
      wipe(&chunk)
    }
    return bytes
  }
}
