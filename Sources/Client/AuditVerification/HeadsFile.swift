internal import CSodium
internal import JSONRPC
package import Linux
package import RegdClient
internal import WireFormats

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
    let file = try open(path)
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

  /// Opens the file, and follows only links that belong to root or to this process's user. The owner and the target of a link
  /// come from one descriptor, so that another user cannot exchange the link in between.
  private static func open(_ path: String, links: Int = 0) throws(SystemError) -> Descriptor {
    guard links < mostLinks, let link = try? Descriptor.open(path, [.placeOnly, .withoutLink]),
      let status = try? link.status(), status.kind == .link, [0, ThisProcess.effectiveUser].contains(status.owner)
    else {
      return try Descriptor.open(
        path, [.readingAndWriting, .creating, .appending, .withoutLink], permissions: 0o600)
    }
    let target = try link.linkTarget()
    return try open(
      target.hasPrefix("/") ? target : "\(FileSystem.directory(of: path))/\(target)", links: links + 1)
  }

  /// As many as the kernel follows in a path.
  private static let mostLinks = 40
}

/// A signed statement about the audit at one time: how many entries it had, and the root of their tree (`audit.head`).
package struct AuditHead: Equatable, Sendable {
  package let size: Int
  package let root: AuditHash
  /// When the head was signed, exactly as regd wrote it, because this text is signed.
  package let time: String
  /// The public key, in base64.
  package let key: String
  private let signature: [UInt8]
  /// The head as one line of JSON, as regd sent it.
  package let text: String

  /// Returns nil if the value is not a head.
  package init?(_ value: JSONValue) {
    guard let size = value["size"]?.integer, size >= 0, let time = value["time"]?.string,
      let key = value["key"]?.string, let root = value["root"]?.string.flatMap({ AuditHash(base64: $0.utf8) }),
      let signature = value["signature"]?.string.flatMap({ Base64.decoded($0.utf8) })
    else { return nil }
    (self.size, self.root, self.time, self.key, self.signature) = (size, root, time, key, signature)
    text = value.text
  }

  /// Whether the owner of the head's own key has signed it.
  package var isSigned: Bool {
    guard let key = Base64.decoded(key.utf8), key.count == Int(crypto_sign_ed25519_PUBLICKEYBYTES),
      signature.count == Int(crypto_sign_ed25519_BYTES)
    else { return false }
    let signed = signedBytes
    return crypto_sign_ed25519_verify_detached(signature, signed, UInt64(signed.count), key) == 0
  }

  /// The signed bytes: canonical JSON of `size`, `root` and `time`. None of the three needs an escape.
  private var signedBytes: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("root", root.base64)
      writer.member("size", size)
      writer.member("time", time)
    }
    return writer.bytes
  }
}
