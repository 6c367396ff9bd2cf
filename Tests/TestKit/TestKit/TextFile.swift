internal import Linux

/// Whole files as text.
package enum TextFile {
  /// Reads a file, and replaces bytes that are not UTF-8.
  ///
  /// - Returns: nil if the file cannot be read.
  package static func read(_ path: String) -> String? {
    (try? FileReading.bytes(path, atMost: .max)).map { String(decoding: $0, as: UTF8.self) }
  }

  package static func write(_ text: String, to path: String) throws { try FileWriting.write(text, to: path) }
}
