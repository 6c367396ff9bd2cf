internal import Linux
internal import Registration

/// Finds files that two keys name, if regd writes to the file for one of them. For instance, regd would destroy a
/// database that is also named as its lock file.
struct PathConflicts {
  private struct Named {
    let key: String
    /// A description for people.
    let what: String
    let place: FilePlace
    let isWritten: Bool
  }

  private var files: [Named] = []

  /// Adds a file and its companions. Ignores an empty path.
  mutating func add(_ file: ConfiguredFile) {
    guard !file.path.isEmpty else { return }
    func add(_ what: String, _ path: String) {
      files.append(Named(key: file.key, what: what, place: FilePlace(path), isWritten: file.isWritten))
    }
    add(file.key, file.path)
    for companion in file.companions { add("the \(companion.name) of \(file.key)", file.path + companion.suffix) }
  }

  /// Refuses each key whose file an earlier key names too, if regd writes to the file for either key.
  func check(_ reader: inout SettingsReader) {
    for (index, file) in files.enumerated() {
      let other = files[..<index].first {
        $0.key != file.key && ($0.isWritten || file.isWritten) && $0.place.isSame(as: file.place)
      }
      guard let other else { continue }
      reader.refuse(
        file.key,
        "must be a separate file: \(file.what), \(file.place.path), is the same file as \(other.what), and regd would write into it"
      )
    }
  }
}

/// The file that a path leads to, identified by its resolved path or by device and inode.
struct FilePlace {
  /// The path without links, `.`, `..` and repeated slashes, as far as it exists.
  let path: String
  /// Device and inode of the file, or nil if it does not exist.
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

  /// Like realpath(3), but also for a path that does not exist yet.
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
      // the place may be a link whose target does not exist yet
      guard let target = FileSystem.linkTarget(place) else { return place }
      return resolved(target.hasPrefix("/") ? target : "\(parent)/\(target)", links: links + 1)
    }
  }
}
