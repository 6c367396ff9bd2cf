internal import SecureMemory
import Synchronization

/// A password as the person typed it, in NFC (NIST SP 800-63B §5.1.1.2 requires a stable form before hashing). Keeps the
/// typed form as well if NFC changes it, because another system may have hashed that form.
///
/// The bytes are wiped when the last reference to the object is released. The type has no description, so that no log
/// line can show a password.
package final class Password: Sendable {
  private let bytes: Mutex<[UInt8]>
  /// The typed form, or nil if it is the same. Another system may have made an imported hash of it.
  package let typed: Password?

  /// - Parameters:
  ///   - utf8: The password in NFC, in UTF-8. The object takes over this array, and wipes it when it is released.
  ///   - typed: The typed form, if NFC changes it.
  package init(utf8: consuming [UInt8], typed: Password? = nil) {
    bytes = Mutex(utf8)
    self.typed = typed
  }

  /// Normalizes a typed password.
  package convenience init(typed: UnsafeRawBufferPointer, _ normalizer: any TextNormalizer) {
    let composed = normalizer.composed(typed)
    self.init(
      utf8: composed, typed: composed.elementsEqual(typed) ? nil : Password(utf8: Array(typed)))
  }

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

  /// A hash of all that a comparison with a password hash depends on: the NFC form, and the typed form if it differs.
  func print(_ hash: SipHash, after bits: UInt64) -> UInt64 {
    let ofComposed = withBytes { hash.hash($0, after: bits) }
    return typed.map { $0.withBytes { hash.hash($0, after: ofComposed) } } ?? ofComposed
  }

  /// Whether every comparison of both with a password hash has the same result. Takes no constant time, as `isSame`.
  func isCompared(as other: Password) -> Bool {
    guard isSame(as: other) else { return false }
    guard let typed, let others = other.typed else { return typed == nil && other.typed == nil }
    return typed.isSame(as: others)
  }

  /// Whether both have the same characters. The comparison does not take constant time, so both must come from the same caller.
  package func isSame(as other: Password) -> Bool {
    if self === other { return true }
    return withBytes { mine in other.withBytes { mine.elementsEqual($0) } }
  }
}
