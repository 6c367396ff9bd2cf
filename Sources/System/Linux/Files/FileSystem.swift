internal import Glibc

/// Names of files.
package enum FileSystem {
  /// Bytes of the longest path, with the 0 at its end.
  package static let longestPath = Int(PATH_MAX)

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  package static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// Whether there is certainly nothing at the path; where it cannot be looked at, there may be.
  package static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && errno == ENOENT }

  /// The directory that the path's last part is in, as the path has it; "." where it has none.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Takes a name off its file, if there is one.
  package static func remove(_ path: String) { unlink(path) }

  /// Gives a file another name, at once and instead of a file that has it.
  package static func rename(_ path: String, to other: String) throws(SystemError) {
    _ = try checked("rename") { Glibc.rename(path, other) }
  }

  /// Makes names in the path's directory last over a loss of power, where the file system can do that.
  package static func synchronizeDirectory(of path: String) {
    guard let directory = try? Descriptor.open(directory(of: path), .reading) else { return }
    try? directory.synchronize()
  }

  package static func setPermissions(_ permissions: UInt32, of path: String) throws(SystemError) {
    _ = try checked("chmod") { chmod(path, permissions) }
  }

  /// The path without links, "." and ".."; nil where there is nothing at it.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What a symbolic link says; nil where it is none.
  package static func linkTarget(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: longestPath)
    let count = readlink(path, &target, target.count)
    guard count > 0 else { return nil }
    return String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Directories.
extension FileSystem {
  /// What is in a directory, in order; without "." and "..".
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

  /// Makes a directory for this process's user alone.
  ///
  /// - Parameter prefix: Its path, to which six characters are added.
  package static func makeTemporaryDirectory(_ prefix: String) throws(SystemError) -> String {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp", errno) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a directory and the files in it, as far as that is possible; directories in it stay, and so does it then.
  package static func removeDirectory(_ path: String) {
    for name in (try? names(in: path)) ?? [] { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
