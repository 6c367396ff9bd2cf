internal import Linux

/// The files of the checkout, for tests that read them.
package enum SourceFiles {
  /// The Swift files below a folder, each with its path from the checkout's root, sorted.
  package static func swift(in folder: String) throws -> [(path: String, text: String)] {
    try named(".swift", in: folder).map { ($0, try FileReading.text("\(Places.root)/\($0)")) }
  }

  /// The paths of the files below a folder whose names end with the suffix, from the checkout's root, sorted.
  package static func named(_ suffix: String, in folder: String) throws -> [String] {
    try FileSystem.names(in: "\(Places.root)/\(folder)").sorted().flatMap { name in
      let path = "\(folder)/\(name)"
      if try FileStatus("\(Places.root)/\(path)").kind == .directory { return try named(suffix, in: path) }
      return name.hasSuffix(suffix) ? [path] : []
    }
  }
}
