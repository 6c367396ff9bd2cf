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
