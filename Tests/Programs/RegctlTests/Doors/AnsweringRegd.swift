import Linux
import RegdClient
import RegdProcesses

/// A regd whose answers a test decides, on one connection after another.
struct AnsweringRegd {
  private let answer: @Sendable (JSONValue) -> String?

  /// - Parameter answer: Gets the params of a request, and returns the bytes to send, or nil to close the connection.
  init(_ answer: @escaping @Sendable (JSONValue) -> String?) { self.answer = answer }

  static let right = #""result":{"account":{"id":"1","email":"Ann@x.org","state":"active"}}"#

  static func refusal(_ reason: String) -> String {
    "\"error\":{\"code\":1,\"message\":\"No.\",\"data\":{\"reason\":\"\(reason)\",\"retryable\":false}}"
  }

  /// A whole reply. Its number is replaced by the number of the request.
  static func reply(_ body: String) -> String { "{\"jsonrpc\":\"2.0\",\"id\":1,\(body)}\n" }

  /// - Parameter body: Gets a directory, in which the socket is `s`.
  func with(_ body: (_ directory: String) throws -> Void) throws {
    try TemporaryDirectory.with { directory in
      let listener = try Descriptor.socket(.localStream)
      try listener.bind(to: SocketAddress(path: "\(directory)/s"))
      try listener.listen(backlog: 8)
      let (number, answer) = (listener.number, answer)
      let thread = try StartedThread(name: "answering regd", niceness: 0) {
        while let caller = try? Descriptor(borrowing: number).accept() { Self.serve(caller, answer) }
      }
      defer {
        listener.shutdown(.both)
        thread.join()
      }
      try body(directory)
    }
  }

  private static func serve(_ caller: borrowing Descriptor, _ answer: (JSONValue) -> String?) {
    var received: [UInt8] = []
    while true {
      guard let end = received.firstIndex(of: 10) else {
        guard let more = try? caller.receive(atMost: 65_536), !more.isEmpty else { return }
        received += more
        continue
      }
      guard let request = JSONValue(received[..<end]), let params = request["params"], let text = answer(params) else {
        return
      }
      received.removeFirst(end + 1)
      let number = request["id"]?.integer ?? 1
      try? caller.sendAll(Array((number == 1 ? text : text.replacing("\"id\":1,", with: "\"id\":\(number),")).utf8))
    }
  }
}

/// Passwords of many lengths, and with every byte of UTF-8 except 0.
enum EveryByte {
  /// At least one character for each byte at each position in a character's encoding.
  static let characters: [Unicode.Scalar] = {
    let values =
      Array(0x01...0x7F) + Array(stride(from: 0x80, through: 0x7FF, by: 0x3F))
      + Array(stride(from: 0x800, through: 0xFFFF, by: 0x3FF))
      + Array(stride(from: 0x10000, through: 0x10FFFF, by: 0x3FFF))
    return values.compactMap { Unicode.Scalar(UInt32($0)) }
  }()

  /// A password of `count` characters, which begins with the character at index `first`.
  static func password(_ count: Int, from first: Int = 0) -> String {
    var text = ""
    for index in 0..<count { text.unicodeScalars.append(characters[(first + index) % characters.count]) }
    return text
  }

  /// Passwords of 1 to 256 characters, which together contain all characters.
  static let passwords: [String] = {
    var (all, first) = ([String](), 0)
    for count in [1, 2, 3, 7, 8, 15, 16, 31, 64, 127, 128, 255, 256] {
      all.append(password(count, from: first))
      first += count
    }
    return all + ["\"", "\\", "\\\"", " ", ":", "a:b", "\t", "\n", "\r\n", "%", "%41", "\\u0041", "\u{7F}"]
  }()
}
