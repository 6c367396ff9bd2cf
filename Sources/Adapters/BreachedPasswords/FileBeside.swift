internal import Linux

/// A file that gets its name only when it is complete.
///
/// Until then it has no name at all (O_TMPFILE, open(2)), so that nothing is left if the process is killed. On a file system
/// without O_TMPFILE it has a temporary name from the start, which a killed process leaves behind.
struct FileBeside: ~Copyable {
  private let descriptor: Descriptor
  private let path: String
  /// A name beside `path`, made unique by the process id.
  private let temporaryPath: String
  private var hasName: Bool

  /// - Parameters:
  ///   - path: The final name. A file with this name may exist.
  ///   - nameless: Whether to try O_TMPFILE, which only tests disable.
  init(path: String, nameless: Bool = true) throws(BreachedBuildFailure) {
    let temporaryPath = "\(path).\(ThisProcess.id)"
    var hasName = !nameless
    let descriptor: Descriptor
    do throws(SystemError) {
      descriptor = try nameless ? Self.makeNameless(path, else: temporaryPath, &hasName) : Self.make(temporaryPath)
    } catch { throw .cannotWrite(path: path, action: .made, errorNumber: error.number) }
    // The list is public, and another user than regd builds it: regd must be able to read it, whatever the umask.
    try? descriptor.setPermissions(0o644)
    (self.path, self.temporaryPath, self.hasName) = (path, temporaryPath, hasName)
    self.descriptor = descriptor
  }

  deinit { if hasName { FileSystem.remove(temporaryPath) } }

  /// Makes the file `count` zero bytes long and reserves their space, because writing to a mapped page without space would
  /// raise SIGBUS.
  func reserve(_ count: Int) throws(BreachedBuildFailure) {
    try attempt(.given(bytes: count)) { (file) throws(SystemError) in try file.reserve(count) }
  }

  /// Syncs the file to the disk, and replaces the file at `path` in one step.
  mutating func publish() throws(BreachedBuildFailure) {
    try attempt(.written) { (file) throws(SystemError) in try file.synchronize() }
    if !hasName {
      FileSystem.remove(temporaryPath)
      // linkat(2) cannot replace a file, so the new file first gets the temporary name, and is then renamed
      try attempt(.givenAName) { (file) throws(SystemError) in try file.link(as: temporaryPath) }
      hasName = true
    }
    try attempt(.givenItsName) { (_) throws(SystemError) in try FileSystem.rename(temporaryPath, to: path) }
    hasName = false
    FileSystem.synchronizeDirectory(of: path)
  }

  /// Runs `body` on the file's descriptor.
  ///
  /// - Parameter action: The step that the failure names if `body` throws.
  func attempt<Result: ~Copyable>(
    _ action: BreachedBuildFailure.Action, _ body: (borrowing Descriptor) throws(SystemError) -> Result
  ) throws(BreachedBuildFailure) -> Result {
    do throws(SystemError) { return try body(descriptor) } catch {
      throw .cannotWrite(path: path, action: action, errorNumber: error.number)
    }
  }

  private static func makeNameless(
    _ path: String, else temporaryPath: String, _ hasName: inout Bool
  ) throws(SystemError) -> Descriptor {
    do throws(SystemError) {
      return try .open(FileSystem.directory(of: path), [.readingAndWriting, .nameless], permissions: 0o644)
    } catch {
      // EOPNOTSUPP if the file system does not support O_TMPFILE, and EISDIR if the kernel does not know it
      guard [SystemError.notSupported, SystemError.isDirectory].contains(error.number) else { throw error }
      hasName = true
      return try make(temporaryPath)
    }
  }

  private static func make(_ temporaryPath: String) throws(SystemError) -> Descriptor {
    FileSystem.remove(temporaryPath)  // of a process that had this number before
    return try .open(temporaryPath, [.readingAndWriting, .creatingNew], permissions: 0o644)
  }
}
