/// The passwords that leaks have made public (NIST SP 800-63B §5.1.1.2 asks verifiers to refuse them).
package protocol BreachedPasswordList: Sendable {
  /// Whether the list has the password.
  ///
  /// False is certain. True may be a false positive, at the list's small rate; so it is a reason to refuse a password,
  /// but no proof of a leak. Does not fail; may block to read a page from disk.
  ///
  /// - Parameter password: The password as UTF-8 in NFC.
  func contains(_ password: UnsafeRawBufferPointer) -> Bool
}
