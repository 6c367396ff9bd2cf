internal import Linux

/// The directories of configured paths that begin with `~/`: below the home directory of regd's user. Only that user
/// may write to them.
enum OwnDirectories {
  /// Makes missing directories, with mode 0700.
  ///
  /// - Parameter paths: Absolute, below `home`.
  /// - Throws: `operatingSystem` if a directory cannot be made. `configuration` if a directory belongs to another user, or
  ///   others may write to it.
  static func make(_ paths: Set<String>, below home: String) throws(StartupFailure) {
    for path in paths.sorted() {
      var place = home
      for part in path.dropFirst(home.count).split(separator: "/") {
        place += "/\(part)"
        guard FileSystem.isMissing(place) else { continue }
        do throws(SystemError) { try FileSystem.makeDirectory(place, permissions: 0o700) } catch {
          guard error.number != SystemError.fileExists else { continue }
          throw StartupFailure(.operatingSystem, "\(place) cannot be created: \(error.text)")
        }
      }
      try require(path)
    }
  }

  private static func require(_ path: String) throws(StartupFailure) {
    let status: FileStatus
    do throws(SystemError) { status = try FileStatus(path) } catch {
      throw StartupFailure(.operatingSystem, "\(path): \(error.text)")
    }
    let problem: String? =
      if status.kind != .directory {
        "is not a directory"
      } else if status.owner != ThisProcess.effectiveUser {
        "belongs to uid \(status.owner)"
      } else if status.permissions & 0o022 != 0 {
        "is writable by others (mode 0\(String(status.permissions, radix: 8)))"
      } else {
        nil
      }
    guard let problem else { return }
    throw StartupFailure(
      .configuration,
      "\(path) \(problem); regd, which runs as uid \(ThisProcess.effectiveUser), needs a private directory for a path that begins with ~/"
    )
  }
}
