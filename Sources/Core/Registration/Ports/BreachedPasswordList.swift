/// The passwords that leaks have made public (NIST SP 800-63B §5.1.1.2 asks verifiers to refuse them).
package protocol BreachedPasswordList: Sendable {
  /// Whether the list has the password.
  ///
  /// False is certain. True is wrong at the small rate with which the list was made: it is a reason to refuse a password, not a
  /// fact about the person. Does not fail; may block to read a page from disk.
  ///
  /// - Parameter password: The password as UTF-8 in NFC.
  func contains(_ password: UnsafeRawBufferPointer) -> Bool
}
