internal import SecureMemory

/// Bytes from another program that have not been read yet. Read bytes are overwritten, because passwords are among them.
struct ReceivedBytes {
  private var bytes: [UInt8] = []
  private var start = 0
  /// No unread byte before this index is a line feed.
  private var searched = 0

  var count: Int { bytes.count - start }

  mutating func append(_ more: [UInt8]) {
    // grows by hand, because an array that grows frees its old storage without wiping the passwords in it
    if bytes.capacity < bytes.count + more.count {
      var grown: [UInt8] = []
      grown.reserveCapacity(2 * (count + more.count))
      grown += bytes[start...]
      wipe(&bytes)
      searched -= start
      (bytes, start) = (grown, 0)
    }
    bytes += more
  }

  subscript(index: Int) -> UInt8 { bytes[start + index] }

  /// The number of bytes before the first line feed, or nil without a line feed. Examines each byte only once, however
  /// often it is called.
  mutating func lineEnd() -> Int? {
    let end = bytes[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n"))
    searched = end ?? bytes.count
    return end.map { $0 - start }
  }

  /// Lends `count` bytes from the front to `body`, then removes and overwrites them. `body` must not keep the slice.
  mutating func take<Value>(_ count: Int, _ body: (ArraySlice<UInt8>) -> Value) -> Value {
    let value = body(bytes[start..<(start + count)])
    for index in start..<(start + count) { bytes[index] = 0 }
    start += count
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      (start, searched) = (0, 0)
    }
    return value
  }
}
