/// The passwords that leaks have made public, whosever they were (NIST SP 800-63B §5.1.1.2 asks to refuse them).
package protocol BreachedPasswordList: Sendable {
  /// Whether the password is among them.
  ///
  /// No is certain. Yes is wrong at the small rate that the list was made with, so a caller may refuse for it, but must
  /// not state it as a fact about the person. May wait for a page of the disk.
  ///
  /// - Parameter password: UTF-8 in NFC.
  func contains(_ password: UnsafeRawBufferPointer) -> Bool
}
