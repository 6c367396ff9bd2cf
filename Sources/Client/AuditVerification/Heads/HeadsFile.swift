package import Linux
internal import RegdClient

/// A file of heads, one in each line.
package struct HeadsFile: Equatable, Sendable {
  package struct Line: Equatable, Sendable {
    /// The number of the line, from 1.
    package let number: Int
    package let head: AuditHead
  }

  /// The heads, in the order of the file.
  package private(set) var heads: [Line] = []
  /// The numbers of the lines that are not heads.
  package private(set) var otherLines: [Int] = []

  /// Enough for more than a hundred thousand heads. With one head a day, that is more than 270 years.
  private static let mostBytes = 64 << 20

  package init(path: String) throws(FileReading.Failure) {
    self.init(try FileReading.bytes(path, atMost: Self.mostBytes))
  }

  init(_ text: [UInt8]) {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where index < lines.count - 1 || !line.isEmpty {
      if let head = JSONValue(line).flatMap(AuditHead.init) {
        heads.append(Line(number: index + 1, head: head))
      } else {
        otherLines.append(index + 1)
      }
    }
  }

  /// Appends a head to a file, which it creates if it does not exist, and waits until the line is on the disk. Any number of
  /// processes may append at once: each line is written in one piece, and begins on a new line even if the file does not
  /// end with a line feed. After a failure the file is as before. Does not follow a link of another user, who may own the
  /// directory, and could otherwise make root change any file.
  package static func append(_ head: AuditHead, to path: String) throws(SystemError) {
    let isNew = FileSystem.isMissing(path)
    let options: OpenOptions = [.readingAndWriting, .creating, .appending]
    let file = try Descriptor.open(path, isOwnLink(path) ? options : options.union(.withoutLink), permissions: 0o600)
    // without a lock, which some network file systems do not have, the line is still appended in one piece
    let isLocked = (try? file.lock(waits: true)) != nil
    let size = try file.status().size
    let end = try size == 0 ? [] : file.read(atMost: 1, at: size - 1)
    let begin = end.isEmpty || end == [UInt8(ascii: "\n")] ? "" : "\n"
    do throws(SystemError) {
      try file.writeAll("\(begin)\(head.text)\n")
      try file.synchronize()
    } catch {
      if isLocked { try? file.truncate(to: size) }
      throw error
    }
    if isNew { FileSystem.synchronizeDirectory(of: path) }
  }

  /// Whether there is a symbolic link that belongs to root or to this process's user.
  private static func isOwnLink(_ path: String) -> Bool {
    guard let status = try? FileStatus(path, followsLink: false), status.kind == .link else { return false }
    return [0, ThisProcess.effectiveUser].contains(status.owner)
  }
}
