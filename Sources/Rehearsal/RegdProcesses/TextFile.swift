internal import Glibc

/// Whole files as text.
package enum TextFile {
  /// - Returns: nil if the file cannot be read.
  package static func read(_ path: String) -> String? {
    BinaryFile.read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  package static func write(_ text: String, to path: String) throws(RegdProcess.Failure) {
    guard BinaryFile.write(Array(text.utf8), to: path) else {
      throw RegdProcess.Failure(description: "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}
