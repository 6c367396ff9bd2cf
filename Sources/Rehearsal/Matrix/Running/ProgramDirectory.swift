internal import Glibc

/// Where the running program is, and with it what was built beside it.
package enum ProgramDirectory {
  package static var own: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }
}

extension ProgramDirectory {
  /// The user that this program runs as.
  package static var uid: UInt32 { getuid() }
}
