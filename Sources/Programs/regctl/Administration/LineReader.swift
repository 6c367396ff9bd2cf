internal import Linux

/// Reads a file line by line in bounded memory. Skips a byte order mark at the beginning, which editors and PowerShell write.
struct LineReader: ~Copyable {
  struct Line {
    /// The line's number, from 1.
    let number: Int
    /// The line without its ending, or nil if it is longer than `limit`.
    let text: ArraySlice<UInt8>?
  }

  /// The most bytes of a line.
  static let limit = 65_536

  private let descriptor: Descriptor
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private(set) var number = 0
  private(set) var bytesRead = 0
  /// The failure that ended the reading early.
  private(set) var failure: SystemError?

  init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Reads the next line. Returns nil at the end, and after a failure.
  mutating func next() -> Line? {
    if number == 0 { skipMark() }
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
      // the rest of an overlong line is skipped
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

  private mutating func skipMark() {
    while buffer.count < Self.mark.count, !isAtEnd { fill() }
    if buffer.starts(with: Self.mark) { start = Self.mark.count }
  }

  /// U+FEFF in UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private mutating func fill() {
    do throws(SystemError) {
      let chunk = try descriptor.read(atMost: 262_144)
      isAtEnd = chunk.isEmpty
      buffer += chunk
      bytesRead += chunk.count
    } catch {
      failure = error
      isAtEnd = true
    }
  }
}
