internal import Glibc

/// Programs of the system, by the Debian packages that have them.
enum Programs {
  static func openssl() throws(Hindrance) -> String { try find("openssl", package: "openssl") }
  static func socat() throws(Hindrance) -> String { try find("socat", package: "socat") }
  static func shell() throws(Hindrance) -> String { try find("sh", package: "dash") }

  /// - Parameter path: Directories with colons between them; this process's PATH where there is none.
  static func find(_ name: String, package: String, path: String? = nil) throws(Hindrance) -> String {
    let path = path ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    for directory in path.split(separator: ":") {
      let candidate = "\(directory)/\(name)"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    throw Hindrance("there is no program \(name); Debian's package \(package) has it")
  }
}
