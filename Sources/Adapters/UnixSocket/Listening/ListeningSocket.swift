internal import Linux
internal import Synchronization

/// A listening stream socket of Unix or TCP, either bound here or passed in by another process (systemd, for example).
package struct ListeningSocket: Sendable {
  /// How many descriptors a Unix socket that was bound here takes. Other sockets take fewer.
  static let descriptors = 3
  /// The socket, which listens and closes on exec.
  let descriptor: Int32
  /// The resources that `release` frees, or nil for a socket that was passed in.
  private let owned: Owned?

  private final class Owned: Sendable {
    let path: String
    /// The name that the socket has until `publish`.
    let temporaryPath: String
    /// Identifies the socket's file, so that `release` does not remove another file that has replaced it at the path.
    let identity: FileStatus.Identity?
    /// The lock file's descriptor. It is open until `release`, or until the process ends.
    let lock: Int32
    /// A second descriptor of the socket, so that waiting callers are not reset when the server closes `descriptor`.
    let queue: Int32
    let isReleased = Atomic<Bool>(false)
    let isQueueTaken = Atomic<Bool>(false)

    init(path: String, temporaryPath: String, lock: Int32, queue: Int32) {
      (self.path, self.temporaryPath, self.lock, self.queue) = (path, temporaryPath, lock, queue)
      identity = ListeningSocket.status(temporaryPath)?.identity
    }
  }

  /// The address that callers connect to: a path, or an address and a port.
  package let path: String
  /// Whether this is a TCP port, whose callers the kernel cannot name.
  package let isInternet: Bool

  /// Adopts a socket that was passed in, unchanged.
  package init(adopting descriptor: Int32) {
    self.descriptor = descriptor
    let address = try? Descriptor(borrowing: descriptor).localAddress()
    (path, isInternet) = (address?.text ?? "", address?.isInternet ?? false)
    owned = nil
  }

  /// Binds and listens at a TCP port of a loopback address.
  ///
  /// - Parameter text: `127.0.0.1:389` or `[::1]:389`. Another text is an invalid argument.
  package init(loopback text: String) throws(ListenFailure) {
    guard let address = SocketAddress(loopback: text) else {
      throw .system("bind", SystemError.invalidArgument)
    }
    do throws(SystemError) {
      let socket = try Descriptor.socket(for: address)
      // so that a regd that was just restarted gets the port although earlier connections are still closing
      socket.allowReuseOfAddress()
      try socket.bind(to: address)
      try socket.listen(backlog: Self.backlog)
      descriptor = socket.release()
    } catch {
      throw ListenFailure(error)
    }
    (path, isInternet, owned) = (text, true, nil)
  }

  /// Binds and listens at `path`.
  ///
  /// The holder of the lock file beside the socket owns the path. If the lock is free, the owner of an existing socket
  /// has died, and regd replaces the socket, unless a process listens on it without the lock, as systemd does. The new
  /// socket gets its group and mode under a temporary name before it is renamed, so that no caller can connect before
  /// both are set.
  ///
  /// - Parameters:
  ///   - mode: Permission bits. Connecting needs write permission (unix(7)).
  ///   - group: Nil for the process's own group.
  ///   - isPublished: Whether callers can connect at once, and not only after `publish`.
  package init(path: String, mode: UInt32, group: UInt32?, isPublished: Bool = true) throws(ListenFailure) {
    let new = path + ".new"
    guard new.utf8.count <= SocketAddress.longestPath else {
      throw .pathTooLong(limit: SocketAddress.longestPath - 4)
    }
    let lock = try LockFile.take(path + ".lock")
    do throws(ListenFailure) {
      for place in [path, new] {
        if let status = Self.status(place), status.kind != .socket { throw .notASocket }
      }
      guard try !Self.hasListener(path) else { throw .owned(by: nil) }
      // a killed regd may have left a socket at the temporary name, but such a socket has no listener
      guard try !Self.hasListener(new) else { throw .newOwned }
      descriptor = try Self.bind(new, mode: mode, group: group)
    } catch {
      LockFile.giveUp(lock)
      throw error
    }
    (self.path, isInternet) = (path, false)
    let queue = try? Descriptor(borrowing: descriptor).duplicate()
    owned = Owned(path: path, temporaryPath: new, lock: lock, queue: queue?.release() ?? -1)
    guard isPublished else { return }
    do throws(ListenFailure) { try publish() } catch {
      discard()
      throw error
    }
  }

  /// Gives a socket that was bound here its name, so that callers can connect. A no-op for other sockets.
  package func publish() throws(ListenFailure) {
    guard let owned else { return }
    do throws(SystemError) { try FileSystem.rename(owned.temporaryPath, to: owned.path) } catch {
      throw ListenFailure(error)
    }
  }

  /// Stops callers from connecting, and accepts those that wait in the kernel's queue. Does nothing for a socket that
  /// was passed in, because its waiting callers belong to the next process that gets the socket.
  ///
  /// - Returns: Descriptors of the accepted connections, which the server must close.
  func takeQueue() -> [Int32] {
    guard let owned, !owned.isQueueTaken.exchange(true, ordering: .relaxed) else { return [] }
    let queue = Descriptor(owning: owned.queue)
    // the kernel now refuses new callers, so that the queue does not grow
    queue.shutdown(.reading)
    var callers: [Int32] = []
    while true {
      do throws(SystemError) { callers.append(try queue.accept().release()) } catch {
        if error.number != SystemError.connectionAborted { return callers }
      }
    }
  }

  /// Removes the socket's name, and releases the lock. A no-op for a socket that was passed in, and in later calls.
  package func release() {
    guard let owned, !owned.isReleased.exchange(true, ordering: .relaxed) else { return }
    for path in [owned.path, owned.temporaryPath] {
      if let now = Self.status(path)?.identity, now == owned.identity { FileSystem.remove(path) }
    }
    if !owned.isQueueTaken.exchange(true, ordering: .relaxed) { Self.close(owned.queue) }
    LockFile.giveUp(owned.lock)
  }

  package func isSame(as other: ListeningSocket) -> Bool { descriptor == other.descriptor }

  /// Closes and releases a socket that no server has taken over.
  package func discard() {
    Self.close(descriptor)
    release()
  }

  /// The longest queue of callers that wait to be accepted: as many as the kernel allows (net.core.somaxconn, 4096 by
  /// default).
  static let backlog: Int32 = 65_535

  private static func bind(_ new: String, mode: UInt32, group: UInt32?) throws(ListenFailure) -> Int32 {
    do throws(SystemError) {
      let socket = try Descriptor.socket(.localStream, waits: false)
      FileSystem.remove(new)
      do throws(SystemError) {
        // on Linux a socket's file takes its mode from the socket, so the file has no permission until `permit`
        try socket.setPermissions(0)
        try socket.bind(to: SocketAddress(path: new))
        try permit(new, mode: mode, group: group)
        try socket.listen(backlog: backlog)
      } catch {
        FileSystem.remove(new)
        throw error
      }
      return socket.release()
    } catch {
      throw ListenFailure(error)
    }
  }

  /// Sets group and mode on the file at `path` itself, never on the target of a link.
  private static func permit(_ path: String, mode: UInt32, group: UInt32?) throws(SystemError) {
    let place = try Descriptor.open(path, [.placeOnly, .withoutLink])
    if let group { try place.setGroup(group) }
    try FileSystem.setPermissions(mode, of: "/proc/self/fd/\(place.number)")
  }

  /// Whether a process listens at `path`. True if the answer is unclear.
  private static func hasListener(_ path: String) throws(ListenFailure) -> Bool {
    let caller: Descriptor
    // a lack of descriptors shows nothing about the path, so it is an error
    do throws(SystemError) { caller = try Descriptor.socket(.localStream, waits: false) } catch {
      throw ListenFailure(error)
    }
    do throws(SystemError) {
      try caller.connect(to: SocketAddress(path: path))
      return true
    } catch {
      // ECONNREFUSED means no listener, ENOENT no socket. Every other error means a listener: its queue is full (EAGAIN), it does
      // not let regd in (EACCES), or its socket is of another type (EPROTOTYPE).
      return error.number != SystemError.connectionRefused && error.number != SystemError.notFound
    }
  }

  private static func status(_ path: String) -> FileStatus? {
    try? FileStatus(path, followsLink: false)
  }

  private static func close(_ descriptor: Int32) { try? Descriptor(owning: descriptor).close() }
}

/// Why regd cannot listen.
package enum ListenFailure: Error, Equatable {
  /// The path has more bytes than a socket address can hold.
  case pathTooLong(limit: Int)
  /// The path holds something other than a socket, which regd leaves there.
  case notASocket
  /// Another regd owns the path. The value is its process id, if known.
  case owned(by: Int32?)
  /// A process listens at the temporary name under which regd would make the socket.
  case newOwned
  /// The file at the lock file's path is not regd's, so regd does not change it.
  case notALockFile(LockFile.Problem)
  /// A system call failed, with this errno(3).
  case system(String, Int32)

  init(_ error: SystemError) { self = .system(error.call, error.number) }
}
