internal import CLinux
internal import Glibc

extension Descriptor {
  /// Writes once, at the descriptor's position or at `offset`.
  ///
  /// - Returns: Number of bytes written.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int? = nil) throws(SystemError) -> Int {
    try checked("write") {
      if let offset { return pwrite(number, bytes.baseAddress, bytes.count, off_t(offset)) }
      return Glibc.write(number, bytes.baseAddress, bytes.count)
    }
  }

  /// Writes all of `bytes`. After a failure, a part of them may be written.
  package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try pass(bytes) { (rest) throws(SystemError) in try write(rest) }
  }

  package func writeAll(_ text: String) throws(SystemError) { try writeAll(Array(text.utf8)) }

  /// Waits until the content is on the disk (fsync(2)).
  package func synchronize() throws(SystemError) { _ = try checked("fsync") { fsync(number) } }

  package func truncate(to count: Int = 0) throws(SystemError) {
    _ = try checked("ftruncate") { ftruncate(number, off_t(count)) }
  }

  /// Allocates `count` bytes on the disk (posix_fallocate(3)). The file then has that size.
  ///
  /// - Throws: `noSpace` if the file system reports less free space. Nothing is allocated then, so that other processes
  ///   do not run out of space.
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

  /// Changes the file's group, also for a descriptor opened with `placeOnly`. Does nothing if the file has this group
  /// already, because a service's sandbox may forbid chown(2) altogether.
  package func setGroup(_ group: UInt32) throws(SystemError) {
    var status = stat()
    if fstat(number, &status) == 0, status.st_gid == group { return }
    _ = try checked("chown") { fchownat(number, "", uid_t.max, group, linux_AT_EMPTY_PATH) }
  }

  /// Changes the file's owner and group. Does nothing if the file has both already.
  package func setOwner(_ owner: UInt32, group: UInt32) throws(SystemError) {
    var status = stat()
    if fstat(number, &status) == 0, status.st_uid == owner, status.st_gid == group { return }
    _ = try checked("chown") { fchown(number, owner, group) }
  }

  /// Gives a file that was opened `nameless` this path as its name. Throws `fileExists` if another file already has it.
  package func link(as path: String) throws(SystemError) {
    _ = try checked("link") {
      linkat(AT_FDCWD, "/proc/self/fd/\(number)", AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    }
  }

  /// Takes the exclusive lock of flock(2) until the file is closed.
  ///
  /// - Parameter waits: Whether to wait while another opening of the file holds the lock.
  /// - Throws: `wouldBlock` if another opening of the file holds the lock, and the call does not wait.
  package func lock(waits: Bool = false) throws(SystemError) {
    _ = try checked("flock") { flock(number, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
  }

  /// Releases the lock for all descriptors of this opening of the file. Closing the descriptor is not enough. A child
  /// process that another thread is just starting has a copy of the descriptor, which keeps the lock until the child's
  /// program begins.
  package func unlock() { flock(number, LOCK_UN) }
}

/// Repeats `call`, which may accept only a part of its argument, until it has accepted all of `bytes`.
func pass(
  _ bytes: [UInt8], _ call: (UnsafeRawBufferPointer) throws(SystemError) -> Int
) throws(SystemError) {
  var taken = 0
  while taken < bytes.count {
    taken += try bytes.withUnsafeBufferPointer { (all) throws(SystemError) in
      try call(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[taken...])))
    }
  }
}

/// The one way to write a whole file.
package enum FileWriting {
  /// Creates the file or replaces its content. After a failure, the content may be incomplete.
  ///
  /// - Parameter permissions: Mode of a file that is created, less the process's mask (umask(2)).
  package static func write(_ bytes: [UInt8], to path: String, permissions: UInt32 = 0o666) throws(SystemError) {
    let file = try Descriptor.open(path, [.writing, .creating, .truncating], permissions: permissions)
    try file.writeAll(bytes)
    try file.close()
  }

  package static func write(_ text: String, to path: String, permissions: UInt32 = 0o666) throws(SystemError) {
    try write(Array(text.utf8), to: path, permissions: permissions)
  }
}
