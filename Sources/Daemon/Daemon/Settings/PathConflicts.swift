internal import Linux
internal import Registration

/// Files that the configuration names and regd writes, and those that it only reads: one that is written must be no
/// other: a lock file that is also the database is destroyed by the lock.
struct PathConflicts {
  private struct Named {
    let key: String
    /// What it is, for a person.
    let what: String
    let place: FilePlace
    let isWritten: Bool
  }

  private var files: [Named] = []

  /// A file and its companions; one whose path is empty is none.
  mutating func add(_ file: ConfiguredFile) {
    guard !file.path.isEmpty else { return }
    func add(_ what: String, _ path: String) {
      files.append(Named(key: file.key, what: what, place: FilePlace(path), isWritten: file.isWritten))
    }
    add(file.key, file.path)
    for companion in file.companions { add("the \(companion.name) of \(file.key)", file.path + companion.suffix) }
  }

  /// Refuses each key whose file is another key's, if regd writes one of them.
  func check(_ reader: inout SettingsReader) {
    for (index, file) in files.enumerated() {
      let other = files[..<index].first {
        $0.key != file.key && ($0.isWritten || file.isWritten) && $0.place.isSame(as: file.place)
      }
      guard let other else { continue }
      reader.refuse(
        file.key,
        "must be a file of its own: \(file.what), \(file.place.path), is the same file as \(other.what), and regd would write into it"
      )
    }
  }
}

/// The file that a path leads to, by its real name or by device and inode.
struct FilePlace {
  /// Without links, `.`, `..` and doubled slashes, as far as it exists.
  let path: String
  /// Device and inode of what is there.
  private let identity: FileStatus.Identity?

  init(_ path: String) {
    self.path = Self.resolved(path, links: 0)
    identity = (try? FileStatus(path))?.identity
  }

  func isSame(as other: FilePlace) -> Bool {
    if path == other.path { return true }
    guard let identity, let other = other.identity else { return false }
    return identity == other
  }

  /// realpath(3), also where nothing is there yet.
  private static func resolved(_ path: String, links: Int) -> String {
    if let real = FileSystem.resolved(path) { return real }
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    guard links < 40, let name = parts.popLast() else { return "/" }
    let parent = resolved("/" + parts.joined(separator: "/"), links: links)
    switch name {
    case ".": return parent
    case "..": return String(parent[..<(parent.lastIndex(of: "/") ?? parent.startIndex)])
    default:
      let place = parent == "/" ? "/\(name)" : "\(parent)/\(name)"
      // a link to what is not there yet
      guard let target = FileSystem.linkTarget(place) else { return place }
      return resolved(target.hasPrefix("/") ? target : "\(parent)/\(target)", links: links + 1)
    }
  }
}
