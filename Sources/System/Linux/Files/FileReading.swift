internal import Glibc

extension Descriptor {
  /// Reads once, either from the descriptor's position on, or from `offset` on without moving the position.
  ///
  /// - Returns: Number of bytes read, or 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int? = nil) throws(SystemError) -> Int {
    try checked("read") {
      if let offset { return pread(number, buffer.baseAddress, buffer.count, off_t(offset)) }
      return Glibc.read(number, buffer.baseAddress, buffer.count)
    }
  }

  /// Reads once, either from the descriptor's position on, or from `offset` on without moving the position.
  ///
  /// - Returns: At most `count` bytes, or none at the end.
  package func read(atMost count: Int, at offset: Int? = nil) throws(SystemError) -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { (buffer, read) throws(SystemError) in
      read = try self.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
    }
  }

  /// Reads to the end, or until more than `limit` bytes are read.
  ///
  /// - Returns: All bytes, or more than `limit` if the file has more.
  package func readToEnd(beyond limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      let chunk = try read(atMost: 65_536)
      if chunk.isEmpty { break }
      bytes += chunk
    }
    return bytes
  }
}

/// The one way to read a whole file. Limits the size, and does not wait until a named pipe gets a writer.
package enum FileReading {
  package enum Failure: Error, Equatable, CustomStringConvertible {
    case system(SystemError)
    case isPipe
    case tooLarge(limit: Int)
    /// The first line that is not UTF-8.
    case notText(line: Int)

    package var description: String {
      switch self {
      case .system(let error): "cannot be read: \(error.text)"
      case .isPipe: "is a named pipe, but must be a file"
      case .tooLarge(let limit): "cannot be read: it has more than \(limit) bytes"
      case .notText(let line): "cannot be read: line \(line) is not UTF-8"
      }
    }

    package var isNotFound: Bool {
      if case .system(let error) = self { error.number == SystemError.notFound } else { false }
    }
  }

  /// 16 MiB: enough for a configuration with some hundred thousand blocked domains.
  package static let usualLimit = 16 << 20

  /// The bytes of a file. Reads a pipe only if this process has it open already, as a shell's `<(…)` is.
  package static func bytes(_ path: String, atMost limit: Int = usualLimit) throws(Failure) -> [UInt8] {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try whole(path, beyond: limit) } catch { throw .system(error) }
    guard let bytes else { throw .isPipe }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    return bytes
  }

  /// - Returns: The file's bytes, more than `limit` if the file has more, or nil for a named pipe.
  private static func whole(_ path: String, beyond limit: Int) throws(SystemError) -> [UInt8]? {
    // without `withoutWaiting`, opening a named pipe that has no writer would wait
    let file = try Descriptor.open(path, [.reading, .withoutWaiting, .withoutTerminal])
    let isOpenElsewhere = path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") || path == "/dev/stdin"
    if !isOpenElsewhere, try file.status().kind == .pipe { return nil }
    try file.setWaiting()
    return try file.readToEnd(beyond: limit)
  }

  /// Text of a UTF-8 file.
  package static func text(_ path: String, atMost limit: Int = usualLimit) throws(Failure) -> String {
    let bytes = try bytes(path, atMost: limit)
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    throw .notText(line: 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0))
  }
}
