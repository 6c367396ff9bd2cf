internal import WireProtocols

/// Bytes that the kernel did not accept at once, and how many of them it has accepted since.
struct SendingRest: ~Copyable {
  private var bytes = SecureBuffer()
  private var sent = 0

  var isEmpty: Bool { bytes.isEmpty }
  var count: Int { bytes.count - sent }
  var unsent: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes.bytes[sent...]) }

  /// - Parameter rest: Replaces the former rest, which the kernel has accepted.
  mutating func hold(_ rest: UnsafeRawBufferPointer) {
    removeAll()
    bytes.append(rest)
  }

  mutating func advance(by count: Int) {
    sent += count
    if sent == bytes.count { removeAll() }
  }

  mutating func removeAll() {
    bytes.removeAll()
    sent = 0
  }
}
