import Glibc
import Linux
import RegdProcesses
import TestKit
import Testing

@Suite("Obstacles to writing a file")
struct PathObstacleTests {
  private static let nobody = PathObstacle.Writer.user(65_534, groups: [65_534])

  /// The obstacle and its path, without the rest of its status.
  private func obstacle(_ path: String, by writer: PathObstacle.Writer = .thisProcess, mounts: String = "") -> String {
    switch PathObstacle.find(file: path, endings: ["-wal"], by: writer, mounts: mounts) {
    case .missing(let place, let mount): "missing \(place)\(mount == nil ? "" : ", read-only")"
    case .noDirectory(let place): "no directory \(place)"
    case .noFile(let place, let kind): "\(kind) \(place)"
    case .denied(let place, _): "denied \(place)"
    case .hidden(let mount): "hidden \(mount.path)"
    case .readOnly(let mount): "read-only \(mount.path)\(mount.isOnlyHere ? ", only here" : "")"
    case .full(let place): "full \(place)"
    case nil: "none"
    }
  }

  @Test("a missing directory, a file instead of a directory and a directory instead of a file are different obstacles")
  func kinds() throws {
    try TemporaryDirectory.with { directory in
      #expect(obstacle("\(directory)/regd.db") == "none")
      #expect(obstacle("\(directory)/a/b/regd.db") == "missing \(directory)/a/b")
      try TextFile.write("", to: "\(directory)/file")
      #expect(obstacle("\(directory)/file") == "none")
      #expect(obstacle("\(directory)/file/regd.db") == "no directory \(directory)/file")
      #expect(mkdir("\(directory)/sub", 0o700) == 0)
      #expect(obstacle("\(directory)/sub") == "directory \(directory)/sub")
      #expect(symlink("\(directory)/sub", "\(directory)/link") == 0)
      #expect(obstacle("\(directory)/link/regd.db") == "none")
    }
  }

  @Test("the message for a missing directory names the owner that it needs and its full path")
  func words() throws {
    try TemporaryDirectory.with { directory in
      #expect(
        ObstacleText.find("\(directory)/none/file", program: "regctl", owner: 0)
          == "there is no directory \(directory)/none: install -d -o root -m 700 \(directory)/none")
      #expect(ObstacleText.find("\(directory)/file", program: "regctl") == nil)
      let relative = ObstacleText.find("no-such-directory/file", program: "regctl")
      #expect(relative?.hasPrefix("there is no directory /") ?? false, "\(relative ?? "nothing")")
    }
  }

  @Test("an obstacle names the directory or file that denies the user access, including a database's -wal file")
  func rights() throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/sub/regd.db"
      #expect(mkdir("\(directory)/sub", 0o700) == 0)
      #expect(chmod(directory, 0o700) == 0)
      #expect(obstacle(path, by: Self.nobody) == "denied \(directory)")
      #expect(obstacle(path, by: .user(getuid(), groups: [])) == "none")
      #expect(chmod(directory, 0o711) == 0)
      #expect(obstacle(path, by: Self.nobody) == "denied \(directory)/sub")
      #expect(chmod("\(directory)/sub", 0o777) == 0)
      #expect(obstacle(path, by: Self.nobody) == "none")
      try TextFile.write("", to: path)
      #expect(chmod(path, 0o644) == 0)
      #expect(obstacle(path, by: Self.nobody) == "denied \(path)")
      #expect(chmod(path, 0o666) == 0)
      try TextFile.write("", to: "\(path)-wal")
      #expect(chmod("\(path)-wal", 0o600) == 0)
      #expect(obstacle(path, by: Self.nobody) == "denied \(path)-wal")
      let group = try FileStatus(path).group
      #expect(chmod("\(path)-wal", 0o660) == 0)
      #expect(obstacle(path, by: .user(65_533, groups: [group])) == "none")
    }
  }

  @Test("a read-only mount, a mount that is read-only for this process only and a hidden path are different obstacles")
  func mounts() throws {
    try TemporaryDirectory.with { directory in
      let place = try #require(FileSystem.resolved(directory))
      for (line, says) in [
        ("20 1 8:1 / \(place) rw - ext4 /dev/a rw", "none"),
        ("20 1 8:1 / \(place) ro - ext4 /dev/a ro", "read-only \(place)"),
        ("20 1 8:1 / \(place) ro - ext4 /dev/a rw", "read-only \(place), only here"),
        ("20 1 0:9 /systemd/inaccessible/dir \(place) ro - tmpfs tmpfs rw", "hidden \(place)"),
      ] {
        #expect(obstacle("\(place)/regd.db", mounts: line) == says)
      }
      let sandboxed = "20 1 8:1 / / ro - ext4 /dev/a rw"
      #expect(obstacle("\(place)/none/regd.db", mounts: sandboxed) == "missing \(place)/none, read-only")
    }
  }
}
