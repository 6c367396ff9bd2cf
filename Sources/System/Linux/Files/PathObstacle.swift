internal import Glibc

/// An obstacle to writing a file, found without opening the file, because a library that opens files reports all of
/// these obstacles with one error.
package enum PathObstacle: Equatable, Sendable {
  /// The directory does not exist. If a mount is given, the directory cannot be made either, because the mount is
  /// read-only.
  case missing(String, on: MountPoint?)
  /// Something other than a directory is at this path.
  case noDirectory(String)
  /// Something other than a regular file is at this path.
  case noFile(String, FileStatus.Kind)
  /// The user may not enter or write this directory, or may not read and write this file.
  case denied(String, FileStatus)
  /// A sandbox hides this directory behind an empty one.
  case hidden(MountPoint)
  case readOnly(MountPoint)
  /// The directory's file system has no room.
  case full(String)

  /// The process or user that must write.
  package enum Writer: Sendable {
    case thisProcess
    /// Another user. Only owners and modes decide what that user may do.
    case user(UInt32, groups: Set<UInt32>)
  }

  /// The first obstacle to making a file or, if the file exists, to reading and writing it.
  ///
  /// - Parameters:
  ///   - path: Absolute.
  ///   - endings: The suffixes of companion files that, if they exist, must be writable too.
  /// - Returns: Nil if no obstacle is visible. Writing may fail anyway.
  package static func find(
    file path: String, endings: [String] = [], by writer: Writer = .thisProcess,
    mounts: String = MountPoint.ofThisProcess
  ) -> PathObstacle? {
    let directory = FileSystem.directory(of: path)
    if let obstacle = find(directory: directory, by: writer, mounts: mounts) { return obstacle }
    for file in [path] + endings.map({ path + $0 }) {
      guard let status = try? FileStatus(file) else { continue }
      guard status.kind == .regular else { return .noFile(file, status.kind) }
      guard writer.may(R_OK | W_OK, file, status) else { return .denied(file, status) }
    }
    guard let room = try? FileSystem.room(at: directory) else { return nil }
    return room.freeBytes == 0 || room.freeFiles == 0 ? .full(directory) : nil
  }

  /// The first obstacle to making files in a directory.
  ///
  /// - Parameter path: Absolute.
  package static func find(
    directory path: String, by writer: Writer = .thisProcess, mounts: String = MountPoint.ofThisProcess
  ) -> PathObstacle? {
    let names = path.split(separator: "/")
    var last: FileStatus?
    for count in 0...names.count {
      let place = "/" + names.prefix(count).joined(separator: "/")
      let mount = FileSystem.resolved(place).flatMap { MountPoint.of($0, in: mounts) }
      if let mount, mount.path == place, mount.root.hasSuffix("/inaccessible/dir") { return .hidden(mount) }
      do throws(SystemError) {
        let status = try FileStatus(place)
        guard status.kind == .directory else { return .noDirectory(place) }
        guard writer.may(X_OK, place, status) else { return .denied(place, status) }
        last = status
      } catch {
        guard error.number == SystemError.notFound else { return nil }
        let above = MountPoint.of(FileSystem.resolved(FileSystem.directory(of: place)) ?? place, in: mounts)
        return .missing(path, on: above.flatMap { $0.isReadOnly ? $0 : nil })
      }
    }
    if let mount = MountPoint.of(FileSystem.resolved(path) ?? path, in: mounts), mount.isReadOnly {
      return .readOnly(mount)
    }
    return last.flatMap { writer.may(W_OK | X_OK, path, $0) ? nil : .denied(path, $0) }
  }
}

extension PathObstacle.Writer {
  /// - Parameter rights: Bits of access(2).
  fileprivate func may(_ rights: Int32, _ path: String, _ status: FileStatus) -> Bool {
    switch self {
    case .thisProcess: return access(path, rights) == 0 || errno != EACCES
    case .user(0, _): return true
    case .user(let id, let groups):
      let shift: UInt32 = status.owner == id ? 6 : groups.contains(status.group) ? 3 : 0
      // the last three bits of a mode mean the same as the bits of access(2)
      return status.permissions >> shift & UInt32(rights) == UInt32(rights)
    }
  }
}
