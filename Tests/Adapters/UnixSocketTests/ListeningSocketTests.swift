import Glibc
import JSONRPC
import Linux
import RegdProcesses
import TestKit
import Testing
import WireProtocols

@testable import UnixSocket

@Suite("Listening socket", .blocking, .timeLimit(.minutes(10)))
struct ListeningSocketTests {
  private func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  @Test("a file that is not a socket is kept, and listening fails with that reason")
  func noSocket() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      try TextFile.write("precious", to: path)
      #expect(throws: ListenFailure.notASocket) { try ListeningSocket(path: path, mode: 0o660, group: nil) }
      #expect(TextFile.read(path) == "precious")
      #expect(status(path + ".new") == nil)
      // and the lock is released
      unlink(path)
      try ListeningSocket(path: path, mode: 0o660, group: nil).release()
    }
  }

  @Test("a socket with a live owner is never replaced")
  func owned() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let first = try ListeningSocket(path: path, mode: 0o660, group: nil)
      let before = status(path)?.st_ino
      #expect(throws: ListenFailure.owned(by: getpid())) { try ListeningSocket(path: path, mode: 0o600, group: nil) }
      #expect(status(path)?.st_ino == before)
      first.release()
      #expect(status(path) == nil)
    }
  }

  @Test("the socket of a process that listens without a lock, like systemd, is not replaced")
  func unlocked() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let socket = try Descriptor.socket(.localStream)
      try socket.bind(to: SocketAddress(path: path))
      try socket.listen(backlog: 0)
      let before = status(path)?.st_ino
      // also when its accept queue is full
      for _ in 0..<3 {
        #expect(throws: ListenFailure.owned(by: nil)) { try ListeningSocket(path: path, mode: 0o660, group: nil) }
      }
      #expect(status(path)?.st_ino == before)
      #expect(ListeningSocket(adopting: socket.number).path == path)
    }
  }

  @Test("under the temporary name, another program's live socket is kept and an abandoned socket is replaced")
  func newName() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      func bind() throws { try ListeningSocket(path: path, mode: 0o660, group: nil).release() }
      do {
        let other = try Descriptor.socket(.localStream)
        try other.bind(to: SocketAddress(path: "\(path).new"))
        try other.listen(backlog: 1)
        #expect(throws: ListenFailure.newOwned) { try bind() }
        try Descriptor.socket(.localStream).connect(to: SocketAddress(path: "\(path).new"))
      }
      #expect(throws: Never.self) { try bind() }
    }
  }

  @Test("the kernel reports which user connects")
  func peer() throws {
    let pair = try Descriptor.socketPair()
    let unknown = Acceptor.peer(of: Descriptor(borrowing: -1))
    #expect(unknown == nil)
    let peer = Acceptor.peer(of: pair.first)
    #expect(peer == Peer(uid: getuid(), gid: getgid(), pid: getpid()))
  }

  @Test("a socket of another type is not replaced")
  func otherType() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let socket = try Descriptor.socket(.localDatagram)
      try socket.bind(to: SocketAddress(path: path))
      #expect(throws: ListenFailure.owned(by: nil)) { try ListeningSocket(path: path, mode: 0o600, group: nil) }
    }
  }

  @Test("a socket left by a dead owner is replaced, and so is one left half made")
  func stale() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      for left in [path, path + ".new"] {
        try Descriptor.socket(.localStream).bind(to: SocketAddress(path: left))
      }
      let socket = try ListeningSocket(path: path, mode: 0o600, group: nil)
      #expect(status(path).map { $0.st_mode & 0o777 } == 0o600)
      #expect(status(path + ".new") == nil)
      socket.release()
    }
  }

  @Test("listening fails if the path is too long for an address or the directory does not exist")
  func paths() {
    let long = "/tmp/" + String(repeating: "x", count: 120)
    #expect(throws: ListenFailure.pathTooLong(limit: 103)) { try ListeningSocket(path: long, mode: 0o660, group: nil) }
    #expect(throws: ListenFailure.system("open", ENOENT)) {
      try ListeningSocket(path: "/nonexistent/s", mode: 0o660, group: nil)
    }
  }

  @Test("the socket gets the configured mode and group")
  func permissions() throws {
    try TemporaryDirectory.with { directory in
      for mode in [UInt32(0o660), 0o600, 0o666, 0o777] {
        let socket = try ListeningSocket(path: "\(directory)/s", mode: mode, group: getgid())
        #expect(status("\(directory)/s").map { $0.st_mode } == S_IFSOCK | mode)
        #expect(status("\(directory)/s").map { $0.st_gid } == getgid())
        socket.release()
      }
    }
  }

  @Test("a released path is free even while a child process still has copies of all descriptors")
  func releasedBesideChild() throws {
    try TemporaryDirectory.with { directory in
      let lock = try LockFile.take("\(directory)/s.lock")
      // as a child process has the lock between fork and exec
      let copy = dup(lock)
      defer { close(copy) }
      LockFile.giveUp(lock)
      LockFile.giveUp(try LockFile.take("\(directory)/s.lock"))
    }
  }

  @Test("regd keeps any file at the lock file's path that is not a lock file, and fails with that reason", .alsoAsRoot)
  func noLockFile() throws {
    try TemporaryDirectory.with { directory in
      let (path, lock) = ("\(directory)/s", "\(directory)/s.lock")
      func refused() -> ListenFailure? {
        do throws(ListenFailure) { try ListeningSocket(path: path, mode: 0o660, group: nil).release() } catch {
          return error
        }
        return nil
      }
      try TextFile.write("precious", to: "\(directory)/other")
      link("\(directory)/other", lock)
      #expect(refused() == .notALockFile(.linked))
      unlink(lock)
      try TextFile.write("SQLite format 3", to: lock)
      #expect(refused() == .notALockFile(.content))
      #expect(TextFile.read(lock) == "SQLite format 3" && TextFile.read("\(directory)/other") == "precious")
      unlink(lock)
      mkfifo(lock, 0o600)
      #expect(refused() == .notALockFile(.noRegularFile))
      unlink(lock)
      mkdir(lock, 0o700)
      #expect(refused() == .notALockFile(.noRegularFile))
      rmdir(lock)
      symlink("\(directory)/other", lock)
      #expect(refused() == .notALockFile(.symbolicLink))
      unlink(lock)
      if geteuid() == 0 {
        try TextFile.write("1\n", to: lock)
        chown(lock, 65_534, 65_534)
        #expect(refused() == .notALockFile(.owner(65_534)))
        unlink(lock)
      }
      try TextFile.write("4711\n", to: lock)
      #expect(refused() == nil)
      #expect(TextFile.read(lock) == "\(getpid())\n")
      #expect(TextFile.read("\(directory)/other") == "precious")
    }
  }

  @Test("takeQueue returns the waiting callers and stops new connections, except on a socket that was passed in")
  func queue() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let socket = try ListeningSocket(path: path, mode: 0o660, group: nil)
      let callers = try (0..<3).map { _ in try RawCaller(path) }
      // the process that served the socket closes its own descriptor
      close(socket.descriptor)
      let taken = socket.takeQueue()
      #expect(taken.count == callers.count)
      #expect(throws: RawCaller.Failure.self) { try RawCaller(path) }
      #expect(socket.takeQueue().isEmpty)
      for descriptor in taken { close(descriptor) }
      socket.release()
      socket.release()
      #expect(status(path) == nil)

      let other = try ListeningSocket(path: path, mode: 0o660, group: nil)
      let waiting = try RawCaller(path)
      #expect(ListeningSocket(adopting: other.descriptor).takeQueue().isEmpty)
      #expect(other.takeQueue().count == 1 && waiting.readable == 0)
      other.release()
    }
  }

  @Test(
    "callers can connect to a socket only after publish, and a socket that is never published leaves no file behind")
  func published() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let socket = try ListeningSocket(path: path, mode: 0o600, group: nil, isPublished: false)
      #expect(throws: RawCaller.Failure.self) { try RawCaller(path) }
      #expect(throws: ListenFailure.owned(by: getpid())) { try ListeningSocket(path: path, mode: 0o600, group: nil) }
      try socket.publish()
      _ = try RawCaller(path)
      socket.discard()
      #expect(FileSystem.isMissing(path))
      try ListeningSocket(path: path, mode: 0o600, group: nil, isPublished: false).discard()
      #expect(try FileSystem.names(in: directory) == ["s.lock"])
    }
  }
}
