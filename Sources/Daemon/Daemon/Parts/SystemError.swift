internal import Glibc

enum SystemError {
  /// strerror(3) for people.
  static func text(_ number: Int32) -> String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }
}
