internal import Glibc

/// A Unix stream socket that listens: one that was passed in, or one bound here.
package struct ListeningSocket: Sendable {
  /// Listens, does not block, is not inherited by children.
  let descriptor: Int32
  /// What is ours to clean up; nil for a socket that was passed in.
  private let owned: Owned?

  private struct Owned: Sendable {
    let path: String
    /// Held for as long as the process lives, or until `release`.
    let lock: Int32
  }

  /// Adopts a socket that was passed in, as it is.
  package init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    owned = nil
  }

  /// Binds and listens at `path`.
  ///
  /// Who holds the lock file beside the socket owns the path; a socket that is there all the same has a dead owner and
  /// is replaced. Ours gets its group and mode under another name and then its own in one step, so that nobody ever
  /// meets it without them.
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
      try Self.refuseOther(than: S_IFSOCK, at: path)
      descriptor = try Self.bind(new, mode: mode, group: group)
      guard rename(new, path) == 0 else { throw .system("rename", errno) }
    } catch {
      unlink(new)
      close(lock)
      throw error
    }
    owned = Owned(path: path, lock: lock)
  }

  /// Removes the socket's name, unless it was passed in, and lets go of the lock.
  func release() {
    guard let owned else { return }
    unlink(owned.path)
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
      if let group, chown(path, uid_t.max, group) != 0 { throw .system("chown", errno) }
      guard chmod(path, mode) == 0 else { throw .system("chmod", errno) }
      guard listen(descriptor, 4096) == 0 else { throw .system("listen", errno) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func refuseOther(than type: mode_t, at path: String) throws(ListenFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == type else { throw .notASocket }
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
  /// A system call failed, with this errno(3).
  case system(StaticString, Int32)

  package static func == (one: ListenFailure, other: ListenFailure) -> Bool {
    switch (one, other) {
    case (.pathTooLong(let one), .pathTooLong(let other)): one == other
    case (.notASocket, .notASocket): true
    case (.owned(let one), .owned(let other)): one == other
    case (.system(_, let one), .system(_, let other)): one == other
    default: false
    }
  }
}
