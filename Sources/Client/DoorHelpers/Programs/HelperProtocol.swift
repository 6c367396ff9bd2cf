internal import SecureMemory

/// The protocol between a helper process and the program that started it to ask many questions: bytes and answers in,
/// bytes and questions out. A conforming type does no I/O. The results do not depend on how `receive` calls split the
/// bytes.
package protocol HelperProtocol {
  /// Takes bytes from the program.
  mutating func receive(_ bytes: [UInt8])

  /// Returns the next question for regd, and the number that its answer must repeat. Returns nil until more bytes or
  /// answers have come.
  mutating func nextQuestion() -> (ticket: Int, question: HelperQuestion)?

  /// Takes the answer to a question, and writes output for it.
  mutating func answer(_ ticket: Int, _ answer: HelperAnswer)

  /// Removes and returns the bytes for the program, or an empty array if no bytes wait.
  mutating func takeOutput() -> [UInt8]

  /// Whether the protocol can use more bytes now. It cannot while earlier questions must be answered first.
  var wantsMore: Bool { get }
}

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
