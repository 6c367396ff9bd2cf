internal import Linux

/// A file whose lock (flock(2)) shows which process owns a path. The lock ends with the process. The file itself
/// remains.
package enum LockFile {
  /// Why regd must not lock a file and write into it.
  package enum Problem: Equatable, Sendable {
    /// A directory, a device or a pipe is at the path.
    case noRegularFile
    /// The path is a link to another file.
    case symbolicLink
    /// The file also has another name (a hard link), so it may be another program's.
    case linked
    /// Another user owns the file.
    case owner(UInt32)
    /// The file holds something other than a process id.
    case content
  }

  /// - Returns: The descriptor that holds the lock, for `giveUp`.
  static func take(_ path: String) throws(ListenFailure) -> Int32 {
    let file = try open(path)
    if let problem = problem(file, path) { throw .notALockFile(problem) }
    do throws(SystemError) { try file.lock() } catch {
      throw error.number == SystemError.wouldBlock ? .owned(by: holder(file)) : ListenFailure(error)
    }
    // checked under the lock, because the former holder may have written until it released the lock
    guard isProcessID(content(file)) else { throw .notALockFile(.content) }
    try? file.truncate()
    _ = Array("\(ThisProcess.id)\n".utf8).withUnsafeBytes { text in try? file.write(text, at: 0) }
    return file.release()
  }

  /// Releases the lock. Another process may take it at once.
  static func giveUp(_ lock: Int32) {
    let file = Descriptor(owning: lock)
    file.unlock()
    try? file.close()
  }

  private static func open(_ path: String) throws(ListenFailure) -> Descriptor {
    do throws(SystemError) {
      // if the file is a pipe, open does not wait for the other end
      return try Descriptor.open(
        path, [.readingAndWriting, .creating, .withoutLink, .withoutWaiting], permissions: 0o600)
    } catch {
      switch error.number {
      case SystemError.isDirectory: throw .notALockFile(.noRegularFile)
      case SystemError.link: throw .notALockFile(.symbolicLink)
      default: throw ListenFailure(error)
      }
    }
  }

  private static func problem(_ file: borrowing Descriptor, _ path: String) -> Problem? {
    guard let status = try? file.status(), status.kind == .regular else { return .noRegularFile }
    guard status.owner == ThisProcess.effectiveUser || isOfDirectory(status.owner, path) else {
      return .owner(status.owner)
    }
    return status.links == 1 ? nil : .linked
  }

  /// Whether regd is root, and the file and its directory have the same owner. In that case, an earlier regd ran as
  /// that user and made the file.
  private static func isOfDirectory(_ owner: UInt32, _ path: String) -> Bool {
    let directory = try? FileStatus(FileSystem.directory(of: path))
    return ThisProcess.effectiveUser == 0 && directory?.owner == owner
  }

  /// The first 16 bytes of the file, more than a process id needs.
  private static func content(_ file: borrowing Descriptor) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = bytes.withUnsafeMutableBytes { bytes in try? file.read(into: bytes, at: 0) }
    return bytes.prefix(count ?? 0)
  }

  /// Whether the content is a number and a line feed, or empty.
  private static func isProcessID(_ content: ArraySlice<UInt8>) -> Bool {
    content.isEmpty
      || content.count < 16 && content.last == UInt8(ascii: "\n")
        && content.dropLast().allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private static func holder(_ file: borrowing Descriptor) -> Int32? {
    Int32(String(decoding: content(file).prefix { $0 != 10 }, as: UTF8.self))
  }
}
