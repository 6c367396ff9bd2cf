import Synchronization
internal import Wiping

/// A password as the person typed it, in NFC (NIST SP 800-63B §5.1.1.2 requires a stable form before hashing).
///
/// The bytes are wiped when the last reference to the object is released. The type has no description, so that no log
/// line can show a password.
package final class Password: Sendable {
  private let bytes: Mutex<[UInt8]>

  /// - Parameter utf8: The password in UTF-8. The object takes over this array, and wipes it when it is released.
  package init(utf8: consuming [UInt8]) { bytes = Mutex(utf8) }

  deinit {
    bytes.withLock { bytes in
      bytes.withUnsafeMutableBytes { wipe($0) }
    }
  }

  /// Lends the bytes for the duration of `body`, which must not keep a copy.
  package func withBytes<Result: Sendable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withLock { bytes in bytes.withUnsafeBytes(body) }
  }

  package var isEmpty: Bool { withBytes { $0.isEmpty } }

  /// The number of Unicode code points, the unit for lengths of passwords (NIST SP 800-63B §5.1.1.2).
  package var codePointCount: Int {
    withBytes { bytes in bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
  }

  /// Whether both have the same characters. The comparison does not take constant time, so both must come from the same caller.
  package func isSame(as other: Password) -> Bool {
    if self === other { return true }
    return withBytes { mine in other.withBytes { mine.elementsEqual($0) } }
  }
}
