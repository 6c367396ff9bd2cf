internal import Glibc

/// The directory of the running program, where the build puts its other products too.
package enum ProgramDirectory {
  package static var own: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
