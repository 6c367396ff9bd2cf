internal import Glibc

/// A file that says who owns a path, by a lock that dies with its holder (flock(2)). The file itself stays.
package enum LockFile {
  /// Why a file is not ours to lock and to write into.
  package enum Problem: Equatable, Sendable {
    /// A directory, a device, a pipe.
    case noRegularFile
    /// It has other names too: it may be anybody's file.
    case linked
    /// It is this user's.
    case owner(UInt32)
    /// It has something else in it than a process id.
    case content
  }

  /// - Returns: The descriptor that holds the lock.
  static func take(_ path: String) throws(ListenFailure) -> Int32 {
    // without waiting for the other end, if it is a pipe
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw errno == EISDIR ? .notALockFile(.noRegularFile) : .system("open", errno) }
    do throws(ListenFailure) {
      if let problem = problem(descriptor, path) { throw .notALockFile(problem) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw errno == EWOULDBLOCK ? .owned(by: holder(descriptor)) : .system("flock", errno)
      }
      // who had it before may have written until now
      guard isProcessID(content(descriptor)) else { throw .notALockFile(.content) }
    } catch {
      close(descriptor)
      throw error
    }
    let text = "\(getpid())\n"
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.utf8.count, 0)
    return descriptor
  }

  private static func problem(_ descriptor: Int32, _ path: String) -> Problem? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .noRegularFile }
    guard status.st_uid == geteuid() || isOfDirectory(status.st_uid, path) else { return .owner(status.st_uid) }
    return status.st_nlink == 1 ? nil : .linked
  }

  /// Whether root meets the lock of the user whose directory it is: a daemon that has run there as that user.
  private static func isOfDirectory(_ owner: uid_t, _ path: String) -> Bool {
    var status = stat()
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return geteuid() == 0 && lstat(directory, &status) == 0 && status.st_uid == owner
  }

  /// The beginning of the file: more than a process id has.
  private static func content(_ descriptor: Int32) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return bytes.prefix(max(0, count))
  }

  /// A number and a line feed, or nothing yet.
  private static func isProcessID(_ content: ArraySlice<UInt8>) -> Bool {
    content.isEmpty
      || content.count < 16 && content.last == UInt8(ascii: "\n")
        && content.dropLast().allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    Int32(String(decoding: content(descriptor).prefix { $0 != 10 }, as: UTF8.self))
  }
}
