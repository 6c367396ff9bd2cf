import Linux
import RehearsedMailServer
import Testing

/// A client that sends given lines one by one.
final class Dialogue {
  private let descriptor: Int32
  private var pending: [UInt8] = []

  init(_ server: MailServer) throws {
    let socket = try Descriptor.socket(.internetStream)
    try socket.connect(to: SocketAddress(loopbackPort: try #require(UInt16(server.url.split(separator: ":")[2]))))
    descriptor = socket.release()
  }

  deinit { _ = Descriptor(owning: descriptor) }

  /// The next answer with all its lines, or "END" if the connection ends first. Waits 300 seconds at most, longer than
  /// any answer takes.
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
        Issue.record("no answer within five minutes")
        return "NOTHING"
      }
      guard let bytes = try? Descriptor(borrowing: descriptor).receive(atMost: 4096), !bytes.isEmpty else {
        return "END"
      }
      pending += bytes
    }
  }

  /// Sends one line and reads its answer.
  func say(_ line: String, end: String = "\r\n") throws -> String {
    try send(line + end)
    return try answer()
  }

  func send(_ text: String) throws { try Descriptor(borrowing: descriptor).sendAll(Array(text.utf8)) }

  /// Sends the lines one by one, and returns the codes of the answers.
  func codes(_ lines: [String]) throws -> [Int] { try lines.map { Int(try say($0).prefix(3)) ?? 0 } }
}
