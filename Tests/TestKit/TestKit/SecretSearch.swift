internal import CLinux
internal import Glibc
internal import Testing

/// Looks for the tests' passwords where they must not be: in every file that a regd has written.
package enum SecretSearch {
  /// A part of each password that tests give to a daemon. A single word would also occur in other files, as part of
  /// other words.
  package static let secrets = ["fine phrase", "another phrase", "new phrase", "hunter2"]

  /// The files in or below a directory that contain a password, each with the password.
  package static func found(in directory: String, _ secrets: [String] = secrets) -> [String] {
    var found: [String] = []
    for name in names(in: directory) {
      let path = "\(directory)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { found += Self.found(in: path, secrets) }
      guard status.st_mode & S_IFMT == S_IFREG, let bytes = bytes(of: path) else { continue }
      for secret in secrets where contains(bytes, secret) { found.append("\(path): \(secret)") }
    }
    return found
  }

  /// Fails the test if a file in or below the directory contains a password.
  static func check(_ directory: String) {
    let found = found(in: directory)
    if !found.isEmpty { Issue.record("passwords were written: \(found)") }
  }

  private static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  private static func contains(_ bytes: [UInt8], _ secret: String) -> Bool {
    let wanted = Array(secret.utf8)
    return bytes.withUnsafeBytes { linux_memmem($0.baseAddress, $0.count, wanted, wanted.count) != nil }
  }
}
