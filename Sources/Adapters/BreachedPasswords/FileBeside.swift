internal import Glibc

/// A file in the making, which gets its name only when it is whole.
///
/// Until then it has no name at all (O_TMPFILE, open(2)), so that nothing is left of it when the process is killed. A file
/// system that cannot do that gives it the name that others get at the end, and a killed process leaves that behind.
struct FileBeside: ~Copyable {
  let descriptor: Int32
  private let path: String
  /// Beside `path`; the process's own.
  private let temporaryPath: String
  private var hasName: Bool

  /// - Parameters:
  ///   - path: The name that it is to get; may exist.
  ///   - nameless: Whether it may be without a name until then; tests say no.
  init(path: String, nameless: Bool = true) throws(BreachedBuildFailure) {
    self.path = path
    temporaryPath = "\(path).\(getpid())"
    var made = nameless ? open(Self.directory(of: path), Self.nameless | O_RDWR | O_CLOEXEC, 0o644) : -1
    // EISDIR is what a kernel says that does not know the flag
    hasName = made < 0 && (!nameless || errno == EOPNOTSUPP || errno == EISDIR)
    if hasName {
      unlink(temporaryPath)  // of a process that had this number before
      made = open(temporaryPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    }
    descriptor = made
    guard made >= 0 else {
      hasName = false
      throw failure("made")
    }
    // The list is public, and regd is not who builds it: whatever the umask, it must be able to read it.
    fchmod(made, 0o644)
  }

  deinit {
    if hasName { unlink(temporaryPath) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Makes it `count` bytes of zeros that the disk has room for: a mapped page without room would be SIGBUS.
  func reserve(_ count: Int) throws(BreachedBuildFailure) {
    // To find out by trying would leave nobody else any room meanwhile.
    var system = statvfs()
    let isKnown = fstatvfs(descriptor, &system) == 0
    guard !isKnown || UInt(count) / UInt(system.f_frsize) < system.f_bavail else {
      throw failure("given \(count) bytes", ENOSPC)
    }
    let errorNumber = posix_fallocate(descriptor, 0, off_t(count))
    guard errorNumber == 0 else { throw failure("given \(count) bytes", errorNumber) }
  }

  /// Puts it on the disk and in the place of what had its name, in one step.
  mutating func publish() throws(BreachedBuildFailure) {
    guard fsync(descriptor) == 0 else { throw failure("written to the disk") }
    if !hasName {
      unlink(temporaryPath)
      // linkat(2) cannot replace, so that it takes a second name
      let link = linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, temporaryPath, AT_SYMLINK_FOLLOW)
      guard link == 0 else { throw failure("given a name") }
      hasName = true
    }
    guard rename(temporaryPath, path) == 0 else { throw failure("given its name") }
    hasName = false
    // the name too; where a directory cannot be synced, the file is whole all the same
    let directory = open(Self.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  /// - Parameter action: What the file could not be.
  func failure(_ action: String, _ errorNumber: Int32 = errno) -> BreachedBuildFailure {
    .cannotWrite(path: path, action: action, errorNumber: errorNumber)
  }

  /// __O_TMPFILE and O_DIRECTORY, only with _GNU_SOURCE in <fcntl.h>; the kernel's number on what Swift runs on.
  private static let nameless = 0o20_000_000 | O_DIRECTORY

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
