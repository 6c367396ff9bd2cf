internal import RehearsedPorts

/// Reads lines from a connection; keeps what arrives early.
struct LineReader {
  private let socket: SharedSocket
  private var pending: [UInt8] = []

  /// Of a line, and of a mail. What is larger ends the connection.
  static let maximumBytes = 1_048_576

  init(_ socket: SharedSocket) { self.socket = socket }

  /// Whether the client has sent more than was read.
  var hasMore: Bool { !pending.isEmpty }

  /// The next line, with what ends it; nil if the connection ends before.
  mutating func next() -> [UInt8]? {
    var searched = 0
    while true {
      if let end = pending[searched...].firstIndex(of: 0x0A) {
        defer { pending.removeFirst(end + 1) }
        return Array(pending[...end])
      }
      searched = pending.count
      let bytes = socket.receive()
      guard !bytes.isEmpty, pending.count <= Self.maximumBytes else { return nil }
      pending += bytes
    }
  }
}
