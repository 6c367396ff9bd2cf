import Linux
import RehearsedMailServer
import Testing

/// A client that says what it is told, line by line.
final class Dialogue {
  private let descriptor: Int32
  private var pending: [UInt8] = []

  init(_ server: MailServer) throws {
    let socket = try Descriptor.socket(.internetStream)
    try socket.connect(to: SocketAddress(loopbackPort: try #require(UInt16(server.url.split(separator: ":")[2]))))
    descriptor = socket.release()
  }

  deinit { _ = Descriptor(owning: descriptor) }

  /// The next answer, all of its lines; "END" if the connection ends before. A minute, which no answer takes, is the longest wait.
  func answer() throws -> String {
    var answer: [String] = []
    while true {
      while let end = pending.firstIndex(of: 0x0A) {
        let line = String(decoding: pending[..<end].dropLast(), as: UTF8.self)
        pending.removeFirst(end + 1)
        answer.append(line)
        if line.dropFirst(3).first != "-" { return answer.joined(separator: "\n") }
      }
      guard Polling.isReady(.readable(descriptor), atMost: .seconds(300)) else {
        Issue.record("no answer within a minute")
        return "NOTHING"
      }
      guard let bytes = try? Descriptor(borrowing: descriptor).receive(atMost: 4096), !bytes.isEmpty else {
        return "END"
      }
      pending += bytes
    }
  }

  /// Says one line and reads its answer.
  func say(_ line: String, end: String = "\r\n") throws -> String {
    try send(line + end)
    return try answer()
  }

  func send(_ text: String) throws { try Descriptor(borrowing: descriptor).sendAll(Array(text.utf8)) }

  /// The answers' codes.
  func codes(_ lines: [String]) throws -> [Int] { try lines.map { Int(try say($0).prefix(3)) ?? 0 } }
}
