import Dialogues
import Glibc
import JSONRPC
import Linux
import RegdProcesses
import TestKit
import Testing

@testable import UnixSocket

@Suite("Listening socket", .blocking, .timeLimit(.minutes(10)))
struct ListeningSocketTests {
  private func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }

  @Test("what is no socket stays, and is said")
  func noSocket() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      try TextFile.write("precious", to: path)
      #expect(throws: ListenFailure.notASocket) { try ListeningSocket(path: path, mode: 0o660, group: nil) }
      #expect(TextFile.read(path) == "precious")
      #expect(status(path + ".new") == nil)
      // and the lock was let go
      unlink(path)
      try ListeningSocket(path: path, mode: 0o660, group: nil).release()
    }
  }

  @Test("a live owner is never evicted")
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

  @Test("a process that listens without a lock, as systemd does, is not evicted")
  func unlocked() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let socket = try Descriptor.socket(.localStream)
      try socket.bind(to: SocketAddress(path: path))
      try socket.listen(backlog: 0)
      let before = status(path)?.st_ino
      // also when its queue is full
      for _ in 0..<3 {
        #expect(throws: ListenFailure.owned(by: nil)) { try ListeningSocket(path: path, mode: 0o660, group: nil) }
      }
      #expect(status(path)?.st_ino == before)
      #expect(ListeningSocket(adopting: socket.number).path == path)
    }
  }

  @Test("a living socket of another program, at the name under which the socket is made, stays; one that was left goes")
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

  @Test("the kernel says which user connects")
  func peer() throws {
    let pair = try Descriptor.socketPair()
    let unknown = Acceptor.peer(of: Descriptor(borrowing: -1))
    #expect(unknown == nil)
    let peer = Acceptor.peer(of: pair.first)
    #expect(peer == Caller(uid: getuid(), gid: getgid(), pid: getpid()))
  }

  @Test("a socket of another type is not evicted")
  func otherType() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let socket = try Descriptor.socket(.localDatagram)
      try socket.bind(to: SocketAddress(path: path))
      #expect(throws: ListenFailure.owned(by: nil)) { try ListeningSocket(path: path, mode: 0o600, group: nil) }
    }
  }

  @Test("a dead owner's socket is replaced, and what was left half made too")
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

  @Test("a path that no address can hold, and a directory that is not there")
  func paths() {
    let long = "/tmp/" + String(repeating: "x", count: 120)
    #expect(throws: ListenFailure.pathTooLong(limit: 103)) { try ListeningSocket(path: long, mode: 0o660, group: nil) }
    #expect(throws: ListenFailure.system("open", ENOENT)) {
      try ListeningSocket(path: "/nonexistent/s", mode: 0o660, group: nil)
    }
  }

  @Test("mode and group are the configuration's")
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

  @Test("a path that was released is free, also while a child process has all descriptors still")
  func releasedBesideChild() throws {
    try TemporaryDirectory.with { directory in
      let lock = try LockFile.take("\(directory)/s.lock")
      // as a child has it between its start and its program's
      let copy = dup(lock)
      defer { close(copy) }
      LockFile.giveUp(lock)
      LockFile.giveUp(try LockFile.take("\(directory)/s.lock"))
    }
  }

  @Test("regd keeps what it finds in the lock file's place if that is not a lock file, and says so", .alsoAsRoot)
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

  @Test(
    "callers that wait to be accepted are taken, and no other can connect then; a socket that was passed in keeps its callers"
  )
  func queue() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/s"
      let socket = try ListeningSocket(path: path, mode: 0o660, group: nil)
      let callers = try (0..<3).map { _ in try RawCaller(path) }
      // the process that served it closes its own
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

  @Test("nobody can connect to a socket before it has its name; one that never gets it leaves nothing behind")
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
