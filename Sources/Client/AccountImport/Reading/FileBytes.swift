internal import Linux

/// Reads a file from the first byte to the last, in bounded memory, and counts its lines.
struct FileBytes: ~Copyable {
  private let descriptor: Descriptor
  private var buffer: [UInt8] = []
  private var next = 0
  private var isAtEnd = false
  /// The line of the next byte, from 1.
  private(set) var line = 1
  /// The number of bytes read so far, including those that are still in the buffer.
  private(set) var bytesRead = 0

  private static let chunk = 262_144

  /// - Throws: `.unreadable`, or `.notText` if the file's first bytes show that it is not UTF-8 text.
  init(_ descriptor: consuming Descriptor) throws(SourceFailure) {
    self.descriptor = descriptor
    do throws(SystemError) {
      buffer = try self.descriptor.read(atMost: Self.chunk)
    } catch {
      throw .unreadable(line: 1, error.text)
    }
    bytesRead = buffer.count
    if let kind = Self.foreignKind(buffer) { throw .notText(kind) }
    // skip the byte order mark that Windows programs write
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { next = 3 }
    skipBlankLines()
  }

  /// Skips empty lines before the content, so that `beginning` shows the format.
  private mutating func skipBlankLines() {
    while true {
      let end = buffer[next...].firstIndex { !" \t\r".utf8.contains($0) }
      guard let end, buffer[end] == UInt8(ascii: "\n") else { return }
      next = end + 1
      line += 1
    }
  }

  /// The first bytes of the file, at most 64 KiB, without a byte order mark and empty lines before them. Valid until a byte is taken.
  var beginning: ArraySlice<UInt8> { buffer[next...].prefix(65_536) }

  mutating func peek() throws(SourceFailure) -> UInt8? {
    while next == buffer.count {
      if isAtEnd { return nil }
      try fill()
    }
    return buffer[next]
  }

  mutating func take() throws(SourceFailure) -> UInt8? {
    guard let byte = try peek() else { return nil }
    next &+= 1
    if byte == UInt8(ascii: "\n") { line &+= 1 }
    return byte
  }

  /// Takes the next line without its line end, LF or CRLF.
  ///
  /// - Returns: Nil at the end of the file. `text` is nil for a line longer than `limit`.
  mutating func takeLine(atMost limit: Int) throws(SourceFailure) -> (number: Int, text: [UInt8]?)? {
    guard try peek() != nil else { return nil }
    let number = line
    var text: [UInt8] = []
    var isTooLong = false
    while try peek() != nil {
      let rest = buffer[next...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let part = rest[..<(end ?? rest.endIndex)]
      isTooLong = isTooLong || text.count + part.count > limit + 1
      if !isTooLong { text += part }
      next = end.map { $0 + 1 } ?? rest.endIndex
      if end != nil {
        line += 1
        break
      }
    }
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    return (number, isTooLong || text.count > limit ? nil : text)
  }

  private mutating func fill() throws(SourceFailure) {
    do throws(SystemError) {
      buffer = try descriptor.read(atMost: Self.chunk)
    } catch {
      throw .unreadable(line: line, error.text)
    }
    next = 0
    isAtEnd = buffer.isEmpty
    bytesRead += buffer.count
  }

  /// The kind of a file that is not UTF-8 text, as far as its first bytes show it.
  private static func foreignKind(_ bytes: [UInt8]) -> SourceFailure.Kind? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
    if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return .compressed }
    if bytes.starts(with: "SQLite format 3".utf8) || bytes.starts(with: "PGDMP".utf8) { return .database }
    return bytes.prefix(4096).contains(0) ? .binary : nil
  }
}
