internal import CLinux
internal import Glibc

extension Descriptor {
  /// Writes once, at the descriptor's position or at `offset`.
  ///
  /// - Returns: How many bytes were taken: at least 1, where there are any.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int? = nil) throws(SystemError) -> Int {
    try checked("write") {
      if let offset { return pwrite(number, bytes.baseAddress, bytes.count, off_t(offset)) }
      return Glibc.write(number, bytes.baseAddress, bytes.count)
    }
  }

  /// Writes all of `bytes`. After a failure a part of them may be written.
  package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try pass(bytes) { (rest) throws(SystemError) in try write(rest) }
  }

  package func writeAll(_ text: String) throws(SystemError) { try writeAll(Array(text.utf8)) }

  /// Waits until the file's content is on the disk (fsync(2)).
  package func synchronize() throws(SystemError) { _ = try checked("fsync") { fsync(number) } }

  package func truncate(to count: Int = 0) throws(SystemError) {
    _ = try checked("ftruncate") { ftruncate(number, off_t(count)) }
  }

  /// Sets aside room on the disk for `count` bytes (posix_fallocate(3)); the file has that size then.
  ///
  /// - Throws: Also where the file system says beforehand that there is less, so that no other process is left without room.
  package func reserve(_ count: Int) throws(SystemError) {
    var system = statvfs()
    if fstatvfs(number, &system) == 0, UInt(count) / UInt(system.f_frsize) >= system.f_bavail {
      throw SystemError("fallocate", ENOSPC)
    }
    let failure = posix_fallocate(number, 0, off_t(count))
    guard failure == 0 else { throw SystemError("fallocate", failure) }
  }

  package func setPermissions(_ permissions: UInt32) throws(SystemError) {
    _ = try checked("fchmod") { fchmod(number, permissions) }
  }

  /// Gives the file to another group; also where only the place is open.
  package func setGroup(_ group: UInt32) throws(SystemError) {
    _ = try checked("chown") { fchownat(number, "", uid_t.max, group, linux_AT_EMPTY_PATH) }
  }

  /// Gives a file without a name one, which must be free.
  package func link(as path: String) throws(SystemError) {
    _ = try checked("link") {
      linkat(AT_FDCWD, "/proc/self/fd/\(number)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    }
  }

  /// Takes the lock of flock(2), which ends with the open file.
  ///
  /// - Throws: `wouldBlock` where another process has it.
  package func lock() throws(SystemError) { _ = try checked("flock") { flock(number, LOCK_EX | LOCK_NB) } }
}

/// Has `bytes` taken by a call that may take a part of them only.
func pass(
  _ bytes: [UInt8], _ call: (UnsafeRawBufferPointer) throws(SystemError) -> Int
) throws(SystemError) {
  var taken = 0
  while taken < bytes.count {
    let result = bytes.withUnsafeBytes { all in
      Result { () throws(SystemError) in try call(UnsafeRawBufferPointer(rebasing: all[taken...])) }
    }
    taken += try result.get()
  }
}

/// Whole files, from memory.
package enum FileWriting {
  /// Makes the file, or replaces its content.
  ///
  /// - Parameter permissions: Of a file that is made; the process's mask is taken off.
  package static func write(_ bytes: [UInt8], to path: String, permissions: UInt32 = 0o666) throws(SystemError) {
    let file = try Descriptor.open(path, [.writing, .creating, .truncating], permissions: permissions)
    try file.writeAll(bytes)
    try file.close()
  }

  package static func write(_ text: String, to path: String, permissions: UInt32 = 0o666) throws(SystemError) {
    try write(Array(text.utf8), to: path, permissions: permissions)
  }
}
