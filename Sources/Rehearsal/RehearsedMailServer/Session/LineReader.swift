internal import RehearsedPorts

/// Reads lines from a connection. Keeps bytes of the next line that have already arrived.
struct LineReader {
  private let socket: SharedSocket
  private var pending: [UInt8] = []

  /// The most bytes of a line, and of a mail. The server closes the connection of a client that sends more.
  static let maximumBytes = 1_048_576

  init(_ socket: SharedSocket) { self.socket = socket }

  /// Whether the client has sent more bytes than were read.
  var hasMore: Bool { !pending.isEmpty }

  /// The next line with its line end, or nil if the connection ends first.
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
