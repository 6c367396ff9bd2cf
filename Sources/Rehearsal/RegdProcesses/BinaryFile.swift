internal import Glibc

/// Whole files as bytes.
package enum BinaryFile {
  /// - Returns: nil if the file cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return ferror(file) == 0 ? bytes : nil }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// - Returns: Whether all of it is written; `errno` says why not.
  package static func write(_ bytes: [UInt8], to path: String) -> Bool {
    guard let file = fopen(path, "we") else { return false }
    let count = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && count == bytes.count
  }
}
