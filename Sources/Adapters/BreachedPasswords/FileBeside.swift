internal import Linux

/// A file in the making, which gets its name only when it is whole.
///
/// Until then it has no name at all (O_TMPFILE, open(2)), so that nothing is left of it when the process is killed. A file
/// system that cannot do that gives it the name that others get at the end, and a killed process leaves that behind.
struct FileBeside: ~Copyable {
  private let descriptor: Descriptor
  private let path: String
  /// Beside `path`; the process's own.
  private let temporaryPath: String
  private var hasName: Bool

  /// - Parameters:
  ///   - path: The name that it is to get; may exist.
  ///   - nameless: Whether it may be without a name until then; tests say no.
  init(path: String, nameless: Bool = true) throws(BreachedBuildFailure) {
    let temporaryPath = "\(path).\(ThisProcess.id)"
    var hasName = !nameless
    let descriptor: Descriptor
    do throws(SystemError) {
      descriptor = try nameless ? Self.makeNameless(path, else: temporaryPath, &hasName) : Self.make(temporaryPath)
    } catch { throw .cannotWrite(path: path, action: .made, errorNumber: error.number) }
    // The list is public, and another user than regd builds it: whatever the umask, regd must be able to read it.
    try? descriptor.setPermissions(0o644)
    (self.path, self.temporaryPath, self.hasName) = (path, temporaryPath, hasName)
    self.descriptor = descriptor
  }

  deinit { if hasName { FileSystem.remove(temporaryPath) } }

  /// Makes it `count` bytes of zeros that the disk has room for: a mapped page without room would be SIGBUS.
  func reserve(_ count: Int) throws(BreachedBuildFailure) {
    try attempt(.given(bytes: count)) { (file) throws(SystemError) in try file.reserve(count) }
  }

  /// Writes it to the disk and puts it in the place of the file that had its name, in one step.
  mutating func publish() throws(BreachedBuildFailure) {
    try attempt(.written) { (file) throws(SystemError) in try file.synchronize() }
    if !hasName {
      FileSystem.remove(temporaryPath)
      // linkat(2) cannot replace, so that it takes a second name
      try attempt(.givenAName) { (file) throws(SystemError) in try file.link(as: temporaryPath) }
      hasName = true
    }
    try attempt(.givenItsName) { (_) throws(SystemError) in try FileSystem.rename(temporaryPath, to: path) }
    hasName = false
    FileSystem.synchronizeDirectory(of: path)
  }

  /// - Parameter action: What the file could not be, for the failure.
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
      // EISDIR is the answer of a kernel that does not know the flag
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
