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

/// Describes an obstacle to writing a file, and how an operator removes it.
package struct ObstacleText {
  private let obstacle: PathObstacle
  private let path: String
  private let program: String
  private let owner: UInt32
  private var directory: String { FileSystem.directory(of: path) }

  /// - Parameters:
  ///   - path: The path of the file that is to be written.
  ///   - program: The name by which an operator knows this process.
  ///   - owner: The user who should own a missing directory.
  package init(
    _ obstacle: PathObstacle, _ path: String, program: String = "regd", owner: UInt32 = ThisProcess.effectiveUser
  ) {
    (self.obstacle, self.path, self.program, self.owner) = (obstacle, path, program, owner)
  }

  /// Describes the obstacle to making a file or, if the file exists, to reading and writing it. Returns nil if no
  /// obstacle is found.
  ///
  /// - Parameters:
  ///   - path: May be relative.
  ///   - endings: As `PathObstacle.find` takes them.
  package static func find(
    _ path: String, endings: [String] = [], program: String, owner: UInt32 = ThisProcess.effectiveUser
  ) -> String? {
    let absolute = path.hasPrefix("/") ? path : "\(FileSystem.resolved(".") ?? "")/\(path)"
    return PathObstacle.find(file: absolute, endings: endings).map {
      ObstacleText($0, absolute, program: program, owner: owner).text
    }
  }

  /// The user that this process runs as, in the words of a message.
  package static var user: String {
    let id = ThisProcess.effectiveUser
    return UserDatabase.name(ofUser: id).map { "the user \($0)" } ?? "uid \(id)"
  }

  private static func name(_ user: UInt32) -> String { UserDatabase.name(ofUser: user) ?? "\(user)" }

  package var text: String {
    switch obstacle {
    case .missing(let directory, let mount):
      let making = "there is no directory \(directory): install -d -o \(Self.name(owner)) -m 700 \(directory)"
      return mount.map { "\(making); then \(writing($0, in: directory))" } ?? making
    case .noDirectory(let place): return "\(place) is not a directory, but must be one; choose another path"
    case .noFile(let place, let kind):
      return kind == .directory
        ? "\(place) is a directory, but must be a file: choose a file in it, such as \(place)/regd.db"
        : "\(place) is not a regular file; choose another path"
    case .denied(let place, let status): return denied(place, status)
    case .hidden(let mount):
      return
        "the sandbox of \(unit ?? "this process") hides \(mount.path) (ProtectHome=): choose a directory elsewhere, such as one below /var/lib"
    case .readOnly(let mount): return "\(directory) is read-only: \(writing(mount, in: directory))"
    case .full(let directory): return "the file system of \(directory) is full: df -h \(directory); df -i \(directory)"
    }
  }

  private func denied(_ place: String, _ status: FileStatus) -> String {
    let mode = "0" + String(status.permissions, radix: 8)
    let whose = UserDatabase.name(ofUser: status.owner) ?? "uid \(status.owner)"
    let seen = "\(place) belongs to \(whose) (mode \(mode)), but \(program) runs as \(Self.user)"
    return status.kind == .directory && place != directory
      ? "\(seen), who may not pass through it: choose another path, or chmod o+x \(place)"
      : "\(seen), who may not write it: chown \(Self.name(ThisProcess.effectiveUser)): \(place)"
  }

  private var unit: String? { ControlGroups.service() }

  private func writing(_ mount: MountPoint, in directory: String) -> String {
    guard mount.isOnlyHere else {
      return "the file system at \(mount.path) (\(mount.type)) is mounted read-only: mount -o remount,rw \(mount.path)"
    }
    guard let unit else { return "a container or a sandbox has mounted \(mount.path) read-only for this process" }
    return
      "the sandbox of \(unit) (ProtectSystem=strict) allows only its own directories: systemctl edit \(unit), add [Service] and ReadWritePaths=\(directory), then systemctl restart \(unit)"
  }
}

/// A line of /proc/PID/mountinfo (proc(5)).
package struct MountPoint: Equatable, Sendable {
  package let path: String
  package let type: String
  /// The part of the file system that is visible at the mount, or "/" for all of it.
  package let root: String
  package let isReadOnly: Bool
  /// Whether this mount is read-only although its file system is not, as in a sandbox or a bind mount.
  package let isOnlyHere: Bool

  package init(path: String, type: String, root: String = "/", isReadOnly: Bool, isOnlyHere: Bool = false) {
    (self.path, self.type, self.root) = (path, type, root)
    (self.isReadOnly, self.isOnlyHere) = (isReadOnly, isOnlyHere)
  }

  /// The text that `of` parses: this process's mounts in the kernel's form, or "" if they cannot be read.
  package static var ofThisProcess: String { (try? FileReading.text("/proc/self/mountinfo")) ?? "" }

  /// The mount that contains `path`, which must be free of links. It is the one with the longest mount point, or the
  /// last of several there, because it hides the others.
  package static func of(_ path: String, in mounts: String) -> MountPoint? {
    var found: MountPoint?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ").map(String.init)
      guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 3 else { continue }
      let point = fields[4].replacing("\\040", with: " ")
      guard point == "/" || path == point || path.hasPrefix("\(point)/"), point.count >= found?.path.count ?? 0 else {
        continue
      }
      let isReadOnlyHere = fields[5].split(separator: ",").contains("ro")
      let isReadOnly = fields[dash + 3].split(separator: ",").contains("ro")
      found = MountPoint(
        path: point, type: fields[dash + 1], root: fields[3].replacing("\\040", with: " "),
        isReadOnly: isReadOnlyHere || isReadOnly, isOnlyHere: isReadOnlyHere && !isReadOnly)
    }
    return found
  }
}
