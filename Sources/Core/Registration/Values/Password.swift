import Synchronization
internal import Wiping

/// A password as it was typed, in NFC (NIST SP 800-63B §5.1.1.2 asks for a stable form before hashing).
///
/// Its bytes are overwritten when the last reference to it is released. It has no description, so that no log line can show
/// it.
package final class Password: Sendable {
  private let bytes: Mutex<[UInt8]>

  /// - Parameter utf8: The characters; the array is the password's own from here on.
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

  /// Unicode code points, which is how lengths of passwords count (NIST SP 800-63B §5.1.1.2).
  package var codePointCount: Int {
    withBytes { bytes in bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
  }

  /// Whether both are the same characters. Not in constant time: both must be of one caller.
  package func isSame(as other: Password) -> Bool {
    if self === other { return true }
    return withBytes { mine in other.withBytes { mine.elementsEqual($0) } }
  }
}
