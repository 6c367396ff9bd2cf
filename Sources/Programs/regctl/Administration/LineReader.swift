internal import Glibc

/// Lines of a descriptor, one at a time, in bounded memory.
struct LineReader {
  struct Line {
    /// From 1.
    let number: Int
    /// Without its end; nil where it is longer than `limit`.
    let text: ArraySlice<UInt8>?
  }

  /// Bytes that a line may have.
  static let limit = 65_536

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private(set) var number = 0
  private(set) var bytesRead = 0
  /// What ended the reading before the end, as errno(3) has it; 0 for nothing.
  private(set) var errorNumber: Int32 = 0

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Returns: Nil at the end.
  mutating func next() -> Line? {
    var isTooLong = false
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        var text = buffer[start..<end]
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        start = end + 1
        number += 1
        return Line(number: number, text: isTooLong || text.count > Self.limit ? nil : text)
      }
      searched = buffer.count
      if isAtEnd {
        guard start < buffer.count || isTooLong else { return nil }
        let text = buffer[start...]
        start = buffer.count
        number += 1
        return Line(number: number, text: isTooLong ? nil : text)
      }
      // what is too long is not kept
      if buffer.count - start > Self.limit {
        isTooLong = true
        start = buffer.count
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      fill()
    }
  }

  private mutating func fill() {
    let before = buffer.count
    let wanted = 262_144
    var chunk = [UInt8](repeating: 0, count: wanted)
    var count = read(descriptor, &chunk, wanted)
    while count < 0, errno == EINTR { count = read(descriptor, &chunk, wanted) }
    if count < 0 { errorNumber = errno }
    isAtEnd = count <= 0
    buffer.append(contentsOf: chunk.prefix(max(0, count)))
    bytesRead += buffer.count - before
  }
}
