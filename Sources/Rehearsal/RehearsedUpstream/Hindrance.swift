internal import Glibc

/// Why something cannot be played, in words; `UpstreamServer` makes its own failures of it.
struct Hindrance: Error {
  let description: String

  init(_ description: String) { self.description = description }

  /// - Parameter errorNumber: As errno(3) has it.
  init(_ action: String, _ errorNumber: Int32) {
    description = "\(action): \(String(cString: strerror(errorNumber)))"
  }
}
