internal import Linux

/// A file of certificates or keys that the configuration names.
package enum PEMFile {
  package enum Condition: Equatable, Sendable {
    case good
    /// It may come later; libcurl reads it when it needs it. errno(3) has the reason.
    case unreadable(errorNumber: Int32)
    /// It is there, and nothing in it begins as PEM does (RFC 7468 §2).
    case notPEM
  }

  package static func condition(_ path: String) -> Condition {
    let bytes: [UInt8]
    do throws(SystemError) {
      // a pipe without a writer must not hold up the start
      let file = try Descriptor.open(path, [.reading, .withoutWaiting])
      guard try file.status().kind == .regular else { return .notPEM }
      // Debian's bundle has 200 KiB
      bytes = try file.readToEnd(beyond: 4 << 20)
    } catch { return .unreadable(errorNumber: error.number) }
    return bytes.contains("-----BEGIN ".utf8) ? .good : .notPEM
  }
}
