internal import Glibc

/// The machine's name (gethostname(2)).
package enum HostName {
  /// The host's name (in a container, the container's), or "localhost" if it cannot be read.
  package static var own: String {
    // HOST_NAME_MAX is 64 (gethostname(2)), and the last byte remains 0
    var name = [CChar](repeating: 0, count: 65)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
