internal import Glibc

/// A file of certificates or keys that the configuration names.
package enum PEMFile {
  package enum Condition: Equatable, Sendable {
    case good
    /// It may come later; libcurl reads it when it needs it. errno(3) has the reason.
    case unreadable(errorNumber: Int32)
    /// It is there, and nothing in it begins as PEM does (RFC 7468 §2).
    case notPEM
  }

  package static func condition(_ path: String) -> Condition {
    // a pipe without a writer must not hold up the start
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .unreadable(errorNumber: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .unreadable(errorNumber: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return .notPEM }
    // Debian's bundle has 200 KiB
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    var count = 0
    while count < bytes.count {
      let read = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count, count)
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { return .unreadable(errorNumber: errno) }
      if read == 0 { break }
      count += read
    }
    let begin = Array("-----BEGIN ".utf8)
    let isPEM = bytes[..<count].indices.contains { bytes[$0..<count].starts(with: begin) }
    return isPEM ? .good : .notPEM
  }
}
