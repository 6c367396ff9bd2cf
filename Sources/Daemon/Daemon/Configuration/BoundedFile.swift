internal import Glibc

/// A file that is read whole at the start: a configuration, a credential. Never one that has no end, or that waits for a
/// writer who may not come.
package enum BoundedFile {
  package enum Failure: Error, Equatable, CustomStringConvertible {
    /// As errno(3) has it.
    case system(Int32)
    case isPipe
    case tooLarge(limit: Int)
    /// Not UTF-8, from this line on.
    case notText(line: Int)

    package var description: String {
      switch self {
      case .system(let number): "cannot be read: \(SystemError.text(number))"
      case .isPipe: "is a named pipe, and must be a file"
      case .tooLarge(let limit): "cannot be read: it has more than \(limit) bytes"
      case .notText(let line): "cannot be read: line \(line) is not UTF-8"
      }
    }
  }

  /// Bytes of a configuration file: some hundred thousand blocked domains.
  package static let configurationBytes = 16 << 20

  /// The file's text. A pipe is read where it is open already, as a shell's `<(…)` is.
  package static func text(_ path: String, atMost limit: Int = configurationBytes) throws(Failure) -> String {
    // a named pipe without a writer would hold up the start
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    if status.st_mode & S_IFMT == S_IFIFO {
      guard path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") || path == "/dev/stdin" else { throw .isPipe }
    }
    guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK) == 0 else { throw .system(errno) }
    let bytes = try read(descriptor, limit)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(line: lineOfFault(bytes)) }
    return text
  }

  private static func read(_ descriptor: Int32, _ limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// The line, from 1, with the first byte that is no UTF-8.
  private static func lineOfFault(_ bytes: [UInt8]) -> Int {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0)
  }
}
