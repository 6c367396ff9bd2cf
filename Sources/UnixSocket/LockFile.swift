internal import Glibc

/// A file that says who owns a path, by a lock that dies with its holder (flock(2)). The file itself stays.
enum LockFile {
  /// - Returns: The descriptor that holds the lock.
  static func take(_ path: String) throws(ListenFailure) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("open", errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let failure: ListenFailure = errno == EWOULDBLOCK ? .owned(by: holder(descriptor)) : .system("flock", errno)
      close(descriptor)
      throw failure
    }
    let text = "\(getpid())\n"
    ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.utf8.count, 0)
    return descriptor
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Int32(String(decoding: bytes.prefix(count).prefix { $0 != 10 }, as: UTF8.self)) : nil
  }
}
