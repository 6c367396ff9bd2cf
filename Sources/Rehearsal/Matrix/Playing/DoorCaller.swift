internal import Linux
internal import RegdClient
internal import WireFormats

/// A program that signs end users in at a cell's `http` door, as a proxy does.
struct DoorCaller {
  private let path: String

  /// - Parameter directory: The cell's directory.
  init(in directory: String) { path = Self.path(in: directory) }

  /// The path of the door's socket.
  static func path(in directory: String) -> String { "\(directory)/door" }

  /// Signs in over a new connection.
  ///
  /// - Returns: `signed in`, or regd's reason. The door does not tell the reason of an incorrect password.
  func signIn(_ email: String, _ password: String) throws -> Observation {
    let credentials = Base64.encoded("\(email):\(password)".utf8)
    let request = "GET / HTTP/1.1\r\nHost: regd\r\nAuthorization: Basic \(credentials)\r\nConnection: close\r\n\r\n"
    let lines = try answer(to: request).split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first ?? ""
    let reason = lines.first { $0.hasPrefix("X-Regd-Reason: ") }?.dropFirst("X-Regd-Reason: ".count)
    let word = status == "200" ? "signed in" : status == "401" ? "credentials.rejected" : String(reason ?? status)
    return Observation(word, .string(lines.joined(separator: ", ")))
  }

  private func answer(to request: String) throws -> String {
    let socket = try Descriptor.socket(.localStream)
    try socket.connect(to: SocketAddress(path: path))
    try socket.sendAll(Array(request.utf8))
    var bytes: [UInt8] = []
    while Polling.isReady(.readable(socket.number), atMost: .seconds(60)) {
      let part = try socket.receive(atMost: 4096)
      guard !part.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
      bytes += part
    }
    throw Mismatch(description: "the door does not answer")
  }
}
