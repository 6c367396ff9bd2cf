internal import CLinux
internal import Glibc
internal import Synchronization

/// A Unix stream socket that listens: one that was passed in, or one bound here.
package struct ListeningSocket: Sendable {
  /// Listens, does not block, is not inherited by children.
  let descriptor: Int32
  /// What is ours to clean up; nil for a socket that was passed in.
  private let owned: Owned?

  private final class Owned: Sendable {
    let path: String
    let inode: ino_t
    /// Held for as long as the process lives, or until `release`.
    let lock: Int32
    /// The same socket once more: whoever serves it closes the other, and those who wait to be accepted stay.
    let queue: Int32
    let isReleased = Atomic<Bool>(false)
    let isQueueTaken = Atomic<Bool>(false)

    init(path: String, inode: ino_t, lock: Int32, queue: Int32) {
      (self.path, self.inode, self.lock, self.queue) = (path, inode, lock, queue)
    }
  }

  /// The address that callers connect to.
  package let path: String

  /// Adopts a socket that was passed in, as it is.
  package init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    path = SocketAddress.path(of: descriptor)
    owned = nil
  }

  /// Binds and listens at `path`.
  ///
  /// Who holds the lock file beside the socket owns the path. A socket that is there all the same has a dead owner and
  /// is replaced, unless somebody listens on it without a lock, as systemd does. Ours gets its group and mode under
  /// another name and then its own in one step, so that nobody ever meets it without them.
  ///
  /// - Parameters:
  ///   - mode: Permission bits; connecting needs write permission (unix(7)).
  ///   - group: Nil for the process's own.
  package init(path: String, mode: UInt32, group: UInt32?) throws(ListenFailure) {
    let new = path + ".new"
    guard new.utf8.count < SocketAddress.maximumPathBytes else {
      throw .pathTooLong(limit: SocketAddress.maximumPathBytes - 5)
    }
    let lock = try LockFile.take(path + ".lock")
    do throws(ListenFailure) {
      for place in [path, new] { try Self.refuseOther(than: S_IFSOCK, at: place) }
      guard !SocketAddress.hasListener(path) else { throw .owned(by: nil) }
      descriptor = try Self.bind(new, mode: mode, group: group)
      guard rename(new, path) == 0 else {
        let failure = ListenFailure.system("rename", errno)
        close(descriptor)
        unlink(new)
        throw failure
      }
    } catch {
      close(lock)
      throw error
    }
    self.path = path
    owned = Owned(
      path: path, inode: Self.status(path)?.st_ino ?? 0, lock: lock, queue: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
  }

  /// Lets nobody connect any more, and takes those who have connected and were not accepted. Nobody where the socket was
  /// passed in: they wait for whoever is given it next.
  ///
  /// - Returns: Their descriptors, which are the caller's.
  func takeQueue() -> [Int32] {
    guard let owned, !owned.isQueueTaken.exchange(true, ordering: .relaxed) else { return [] }
    defer { close(owned.queue) }
    // who connects now is refused by the kernel, and the queue ends
    shutdown(owned.queue, Int32(SHUT_RD))
    var callers: [Int32] = []
    while true {
      let caller = linux_accept(owned.queue)
      if caller >= 0 { callers.append(caller) } else if errno != EINTR, errno != ECONNABORTED { return callers }
    }
  }

  /// Removes the socket's name, unless it was passed in, and lets go of the lock; once.
  package func release() {
    guard let owned, !owned.isReleased.exchange(true, ordering: .relaxed) else { return }
    if Self.status(owned.path)?.st_ino == owned.inode { unlink(owned.path) }
    if !owned.isQueueTaken.exchange(true, ordering: .relaxed) { close(owned.queue) }
    close(owned.lock)
  }

  private static func bind(_ path: String, mode: UInt32, group: UInt32?) throws(ListenFailure) -> Int32 {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .system("socket", errno) }
    do throws(ListenFailure) {
      unlink(path)
      // on Linux a socket's file takes its mode from the socket, so that it begins without any permission
      guard fchmod(descriptor, 0) == 0 else { throw .system("fchmod", errno) }
      guard SocketAddress.with(path, { Glibc.bind(descriptor, $0, $1) }) == 0 else { throw .system("bind", errno) }
      try permit(path, mode: mode, group: group)
      guard listen(descriptor, backlog) == 0 else { throw .system("listen", errno) }
    } catch {
      unlink(path)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Connections that may wait to be accepted; the kernel's own limit (net.core.somaxconn) is the same by default.
  static let backlog: Int32 = 4096

  /// Sets group and mode on what is at `path` now, never on what a link there points to.
  private static func permit(_ path: String, mode: UInt32, group: UInt32?) throws(ListenFailure) {
    let place = open(path, linux_O_PATH | O_NOFOLLOW | O_CLOEXEC)
    guard place >= 0 else { throw .system("open", errno) }
    defer { close(place) }
    if let group, fchownat(place, "", uid_t.max, group, linux_AT_EMPTY_PATH) != 0 { throw .system("chown", errno) }
    guard chmod("/proc/self/fd/\(place)", mode) == 0 else { throw .system("chmod", errno) }
  }

  private static func refuseOther(than type: mode_t, at path: String) throws(ListenFailure) {
    guard let status = status(path) else { return }
    guard status.st_mode & S_IFMT == type else { throw .notASocket }
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}

/// Why regd cannot listen.
package enum ListenFailure: Error, Equatable {
  /// The path has more bytes than an address can hold.
  case pathTooLong(limit: Int)
  /// Something else is at the path, and stays.
  case notASocket
  /// Another regd lives there; its process id where it is known.
  case owned(by: Int32?)
  /// What is at the lock file's place is no lock file of ours, and stays as it is.
  case notALockFile(LockFile.Problem)
  /// A system call failed, with this errno(3).
  case system(StaticString, Int32)

  package static func == (one: ListenFailure, other: ListenFailure) -> Bool {
    switch (one, other) {
    case (.pathTooLong(let one), .pathTooLong(let other)): one == other
    case (.notASocket, .notASocket): true
    case (.owned(let one), .owned(let other)): one == other
    case (.notALockFile(let one), .notALockFile(let other)): one == other
    case (.system(_, let one), .system(_, let other)): one == other
    default: false
    }
  }
}
