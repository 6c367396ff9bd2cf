internal import Linux

/// A file of certificates or keys, named in the configuration.
package enum PEMFile {
  /// The kind of block that the file must have. The raw value ends the line that begins one (RFC 7468 §5, §10).
  package enum Content: String, Sendable {
    case certificate = "CERTIFICATE-----"
    case key = "PRIVATE KEY-----"
  }

  /// Why an existing file cannot be used: the rest of a sentence that begins with the name of its configuration key. Nil if
  /// the file is usable or missing.
  package static func problem(_ path: String, of content: Content) -> String? {
    guard let text = try? Self.content(of: path) else { return nil }
    guard text.contains("-----BEGIN ".utf8) else {
      return "must be a PEM file, but \(path) has no line that begins with -----BEGIN"
    }
    guard !text.contains(content.rawValue.utf8) else { return nil }
    let other: Content = content == .key ? .certificate : .key
    let swapped = text.contains(other.rawValue.utf8) ? ", but has one that ends in \(other.rawValue)" : ""
    return "\(path) has no line that ends in \(content.rawValue)\(swapped)"
  }

  /// Why a file cannot be read (errno(3)), or nil if it can. The result is only a reason for a warning: libcurl reads the
  /// file when it needs it, and the file may exist by then.
  package static func obstacle(_ path: String) -> Int32? {
    do throws(SystemError) {
      _ = try content(of: path)
      return nil
    } catch { return error.number }
  }

  /// The file's bytes. Empty if it is not a regular file.
  private static func content(of path: String) throws(SystemError) -> [UInt8] {
    // a pipe without a writer must not hold up the start
    let file = try Descriptor.open(path, [.reading, .withoutWaiting])
    guard try file.status().kind == .regular else { return [] }
    // more than enough: Debian's bundle of authorities has 200 KiB
    return try file.readToEnd(beyond: 4 << 20)
  }
}
