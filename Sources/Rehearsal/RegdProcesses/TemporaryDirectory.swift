internal import Glibc

/// A directory for one use, gone afterwards.
package enum TemporaryDirectory {
  package static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
    let path = try make()
    defer { remove(path) }
    return try body(path)
  }

  package static func make() throws -> String {
    var template = Array("/tmp/regd-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw RegdProcess.Failure(description: "no temporary directory: \(String(cString: strerror(errno)))")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a directory of files.
  package static func remove(_ path: String) {
    for name in names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// The names of a directory's entries, in order, without those that begin with a dot.
  package static func names(in path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
