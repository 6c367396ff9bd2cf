internal import Synchronization

/// The first lines of a connection. Callers wait for these lines, and recognize by their order (MECH before SPID) that
/// this is a socket for authentication.
struct DovecotGreeting: Sendable {
  let process: UInt32
  let connection: UInt32
  /// 32 hexadecimal digits.
  let cookie: String

  var text: String {
    let mechanisms = DovecotMechanism.allCases.map { "MECH\t\($0.rawValue)\tplaintext\n" }.joined()
    return "VERSION\t1\t2\n\(mechanisms)SPID\t\(process)\nCUID\t\(connection)\nCOOKIE\t\(cookie)\nDONE\n"
  }
}

/// Makes the greetings of a door, each with another connection number and cookie.
final class DovecotGreetings: Sendable {
  /// A random number instead of the process id, because programs only use it to tell servers apart.
  private let process = UInt32.random(in: 1...4_194_303)
  private let connections = Atomic<UInt32>(0)

  func next() -> DovecotGreeting {
    var random = SystemRandomNumberGenerator()
    let digits = (0..<32).map { _ in String(UInt8.random(in: 0...15, using: &random), radix: 16) }
    return DovecotGreeting(
      process: process, connection: connections.wrappingAdd(1, ordering: .relaxed).newValue, cookie: digits.joined())
  }
}
