internal import Synchronization

/// Finds passwords and hashes where they must not be.
enum Leaks {
  /// The text that every password contains, by which `isLeak` finds passwords.
  static let secret = "Zq9!"

  /// A line of the log, or a mail, that contains a secret, or nil if no line or mail does.
  static let found = Mutex<String?>(nil)

  static func note(_ text: String) { found.withLock { $0 = $0 ?? text } }

  /// Whether a text contains a password or a hash. Compares bytes for speed, because every text of regd is checked.
  static func isLeak(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in [secret, "$argon2"].contains { has(bytes, Array($0.utf8)) } }
  }

  private static func has(_ bytes: UnsafeBufferPointer<UInt8>, _ mark: [UInt8]) -> Bool {
    bytes.count >= mark.count
      && (0...bytes.count - mark.count).contains { start in
        bytes[start] == mark[0] && mark.indices.allSatisfy { bytes[start + $0] == mark[$0] }
      }
  }
}
