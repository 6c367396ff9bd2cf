internal import Linux

/// A file of certificates or keys that the configuration names.
package enum PEMFile {
  /// The kind of thing that a file must have in it, as the end of a line says that begins it (RFC 7468 §5, §10).
  package enum Content: String, Sendable {
    case certificate = "CERTIFICATE-----"
    case key = "PRIVATE KEY-----"
  }

  /// Why a file that is there cannot be used, to stand after its key's name.
  package static func problem(_ path: String, of content: Content) -> String? {
    guard let text = try? Self.content(of: path) else { return nil }
    guard text.contains("-----BEGIN ".utf8) else {
      return "must be a PEM file, and \(path) has no line that begins with -----BEGIN"
    }
    guard !text.contains(content.rawValue.utf8) else { return nil }
    let other: Content = content == .key ? .certificate : .key
    let swapped = text.contains(other.rawValue.utf8) ? ", and has one that ends in \(other.rawValue)" : ""
    return "\(path) has no line that ends in \(content.rawValue)\(swapped)"
  }

  /// Why a file cannot be read (errno(3)), nil if it can: it may come later, for libcurl reads it when it needs it.
  package static func obstacle(_ path: String) -> Int32? {
    do throws(SystemError) {
      _ = try content(of: path)
      return nil
    } catch { return error.number }
  }

  /// None for what is no file.
  private static func content(of path: String) throws(SystemError) -> [UInt8] {
    // a pipe without a writer must not hold up the start
    let file = try Descriptor.open(path, [.reading, .withoutWaiting])
    guard try file.status().kind == .regular else { return [] }
    // Debian's bundle has 200 KiB
    return try file.readToEnd(beyond: 4 << 20)
  }
}
