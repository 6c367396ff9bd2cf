internal import SecureMemory

/// Bytes that must wait and may contain secrets. All of their memory is overwritten before it is released.
package struct SecureBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>?
  package private(set) var count = 0
  private var capacity = 0

  package init() {}

  deinit {
    guard let base else { return }
    wipe(UnsafeMutableRawBufferPointer(start: base, count: count))
    base.deallocate()
  }

  package var isEmpty: Bool { count == 0 }

  /// The held bytes. Valid until the next change.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    guard let base else { return }
    UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    base?[count] = byte
    count += 1
  }

  /// Drops and wipes the first `taken` bytes.
  package mutating func removeFirst(_ taken: Int) {
    guard let base, taken > 0 else { return }
    let rest = count - taken
    UnsafeMutableRawPointer(base).copyMemory(from: base + taken, byteCount: rest)
    wipe(UnsafeMutableRawBufferPointer(start: base + rest, count: taken))
    count = rest
    if rest == 0 { shrink() }
  }

  package mutating func removeAll() {
    guard let base, count > 0 else { return }
    wipe(UnsafeMutableRawBufferPointer(start: base, count: count))
    count = 0
    shrink()
  }

  private mutating func shrink() {
    guard capacity > 4096 else { return }
    base?.deallocate()
    (base, capacity) = (nil, 0)
  }

  private mutating func grow(by more: Int) {
    let needed = max(count + more, capacity * 2, 256)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: needed)
    if let base {
      larger.update(from: base, count: count)
      wipe(UnsafeMutableRawBufferPointer(start: base, count: count))
      base.deallocate()
    }
    (base, capacity) = (larger, needed)
  }
}
