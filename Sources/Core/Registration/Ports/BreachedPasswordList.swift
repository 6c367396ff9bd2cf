/// The passwords that leaks have made public (NIST SP 800-63B §5.1.1.2 asks to refuse them).
package protocol BreachedPasswordList: Sendable {
  /// Whether the password is among them.
  ///
  /// False is certain. True is wrong at the small rate that the list was made with: a reason to refuse a password, and no
  /// fact about the person. Does not fail; may block for a page of the disk.
  ///
  /// - Parameter password: UTF-8 in NFC.
  func contains(_ password: UnsafeRawBufferPointer) -> Bool
}
