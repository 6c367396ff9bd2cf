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
