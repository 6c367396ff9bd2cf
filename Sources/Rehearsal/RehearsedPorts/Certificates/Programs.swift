internal import Linux

/// Paths of the system's programs, with the Debian packages that contain them.
package enum Programs {
  static func openssl() throws(PortFailure) -> String { try find("openssl", package: "openssl") }
  package static func socat() throws(PortFailure) -> String { try find("socat", package: "socat") }
  static func shell() throws(PortFailure) -> String { try find("sh", package: "dash") }

  /// - Parameter path: Directories separated by colons, or nil for this process's PATH.
  static func find(_ name: String, package: String, path: String? = nil) throws(PortFailure) -> String {
    let path = path ?? ThisProcess.variable("PATH") ?? "/usr/bin:/bin"
    let candidates = path.split(separator: ":").map { "\($0)/\(name)" }
    guard let program = candidates.first(where: FileSystem.isExecutable) else {
      throw PortFailure(description: "there is no program \(name); Debian's package \(package) has it")
    }
    return program
  }
}
