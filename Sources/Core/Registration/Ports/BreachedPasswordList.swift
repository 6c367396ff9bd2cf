/// The passwords that leaks have made public (NIST SP 800-63B §5.1.1.2 asks verifiers to refuse them).
package protocol BreachedPasswordList: Sendable {
  /// Whether the list contains the password.
  ///
  /// A result of false is certain. A result of true may be a false positive, at the list's small rate. It is therefore
  /// a reason to refuse the password, but not proof of a leak. The call does not fail, but may block to read a page
  /// from disk.
  ///
  /// - Parameter password: The password as UTF-8 in NFC.
  func contains(_ password: UnsafeRawBufferPointer) -> Bool
}
