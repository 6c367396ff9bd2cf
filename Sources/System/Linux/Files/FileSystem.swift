internal import Glibc

/// Operations on paths.
package enum FileSystem {
  /// Bytes of the longest path, with its terminating 0.
  package static let longestPath = Int(PATH_MAX)

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// Whether the path certainly leads to no file. False if that is unclear, for example because permission is missing.
  package static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

  /// The path without its last part, or "." if it has only one part.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Removes a file's name, if there is one. Ignores failures.
  package static func remove(_ path: String) { unlink(path) }

  /// Renames a file. Atomically replaces a file that has the other name.
  package static func rename(_ path: String, to other: String) throws(SystemError) {
    _ = try checked("rename") { Glibc.rename(path, other) }
  }

  /// Syncs the directory that contains the path, so that its names survive a loss of power. Best effort.
  package static func synchronizeDirectory(of path: String) {
    guard let directory = try? Descriptor.open(directory(of: path), .reading) else { return }
    try? directory.synchronize()
  }

  package static func setPermissions(_ permissions: UInt32, of path: String) throws(SystemError) {
    _ = try checked("chmod") { chmod(path, permissions) }
  }

  /// The absolute path without links, "." and "..", or nil if it leads to no file, or cannot be followed.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The target of a symbolic link, or nil if the path is not a link.
  package static func linkTarget(_ path: String) -> String? {
    try? text { target, count in readlink(path, target, count) }
  }

  /// The target that a call of readlink(2) writes into the room that it gets.
  fileprivate static func text(
    _ read: (_ target: UnsafeMutablePointer<CChar>, _ count: Int) -> Int
  ) throws(SystemError) -> String {
    var target = [CChar](repeating: 0, count: longestPath)
    let count = try checked("readlink") { read(&target, longestPath) }
    return String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Descriptor {
  /// The target of the symbolic link that was opened with `placeOnly` and `withoutLink`.
  package func linkTarget() throws(SystemError) -> String {
    try FileSystem.text { target, count in readlinkat(number, "", target, count) }
  }
}

extension FileSystem {
  /// The room that a file system has for users other than root.
  package struct Room: Equatable, Sendable {
    package let freeBytes: Int
    package let totalBytes: Int
    /// How many more files there may be, or nil if the file system does not count files.
    package let freeFiles: Int?

    package init(freeBytes: Int, totalBytes: Int, freeFiles: Int?) {
      (self.freeBytes, self.totalBytes, self.freeFiles) = (freeBytes, totalBytes, freeFiles)
    }
  }

  package static func room(at path: String) throws(SystemError) -> Room {
    var system = statvfs()
    _ = try checked("statvfs") { statvfs(path, &system) }
    let unit = Int(clamping: system.f_frsize)
    return Room(
      freeBytes: Int(clamping: system.f_bavail) * unit, totalBytes: Int(clamping: system.f_blocks) * unit,
      freeFiles: system.f_files > 0 ? Int(clamping: system.f_favail) : nil)
  }
}

extension FileSystem {
  /// Sorted names of a directory's entries, without "." and "..".
  package static func names(in path: String) throws(SystemError) -> [String] {
    guard let directory = opendir(path) else { throw SystemError("opendir", errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package static func makeDirectory(_ path: String, permissions: UInt32 = 0o777) throws(SystemError) {
    _ = try checked("mkdir") { mkdir(path, permissions) }
  }

  /// Creates a directory that only this process's user can access.
  ///
  /// - Parameter prefix: The path, to which six random characters are added.
  package static func makeTemporaryDirectory(_ prefix: String) throws(SystemError) -> String {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp", errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a directory and everything in it. Does not follow links, and ignores failures.
  package static func removeDirectory(_ path: String) {
    for name in (try? names(in: path)) ?? [] {
      let inner = "\(path)/\(name)"
      if unlink(inner) != 0, errno == EISDIR { removeDirectory(inner) }
    }
    rmdir(path)
  }
}
