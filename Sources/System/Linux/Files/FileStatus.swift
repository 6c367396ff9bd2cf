internal import CLinux
internal import Glibc

/// Status of a file (stat(2)).
package struct FileStatus: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case regular, directory, pipe, socket, link, device }

  /// Identifies a file: two paths with the same identity lead to the same file.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  package let kind: Kind
  package let identity: Identity
  /// In bytes.
  package let size: Int
  package let owner: UInt32
  package let group: UInt32
  /// Permission bits, such as 0o660.
  package let permissions: UInt32
  /// The last change of the content, in seconds since 1970.
  package let modified: Int
  /// Number of names (hard links).
  package let links: Int
  /// The last change of the content, in nanoseconds since 1970-01-01T00:00:00Z.
  package let modifiedNanoseconds: Int64

  /// - Parameter followsLink: Whether the status of a symbolic link is that of its target or the link's own.
  package init(_ path: String, followsLink: Bool = true) throws(SystemError) {
    var status = stat()
    _ = try checked("stat") { followsLink ? stat(path, &status) : lstat(path, &status) }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      case S_IFLNK: .link
      default: .device
      }
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int(status.st_size)
    owner = status.st_uid
    group = status.st_gid
    permissions = status.st_mode & 0o7777
    modified = status.st_mtim.tv_sec
    links = Int(status.st_nlink)
    modifiedNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
  }
}

extension FileStatus {
  /// Identifies a file from its birth to its end, also after the machine has restarted: its inode and its time of
  /// birth. A copy has another text, even if it has replaced the file at the same path. A renamed file keeps its text.
  ///
  /// - Returns: Nil if the file does not exist, or its file system does not keep times of birth.
  package static func birth(of path: String) -> String? {
    var (inode, born): (UInt64, Int64) = (0, 0)
    return linux_birth(path, &inode, &born) == 0 ? "\(inode) \(born)" : nil
  }
}

extension Descriptor {
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    _ = try checked("fstat") { fstat(number, &status) }
    return FileStatus(status)
  }

  /// Offset of the next read.
  package func position() throws(SystemError) -> Int { Int(try checked("lseek") { lseek(number, 0, SEEK_CUR) }) }

  /// Advises the kernel not to read ahead (posix_fadvise(2)).
  package func expectRandomReads() { posix_fadvise(number, 0, 0, POSIX_FADV_RANDOM) }
}
