internal import Glibc
internal import Linux

/// A program at a door: how it asks, and what it hears.
struct DoorProgram {
  let title: String
  /// The socket's file.
  let door: String
  var connections = 16
  /// Questions at once of each connection; its answers are lines `OK`, a tab and the question's number then.
  var inFlight = 1
  var isConnectionEach = false
  var hashes = true
  /// Sent first, by who is greeted.
  var hello = ""
  /// The answer's last bytes, if it may come in parts.
  let end: String
  /// What a right answer has behind so many bytes.
  let right: (offset: Int, text: String)
  /// The question about an account, with its number of 1 to `inFlight`.
  let question: @Sendable (_ account: Int, _ number: Int) -> [UInt8]
}

/// Connections of a program that ask anew with each answer, by one thread, for a time.
struct DoorLoad {
  private final class Connection {
    var socket: Descriptor
    var received: [UInt8] = []
    let questions: [[UInt8]]
    init(_ path: String, _ questions: [[UInt8]]) throws {
      socket = try DoorLoad.connect(path)
      self.questions = questions
    }
  }

  private let (program, path): (DoorProgram, String)
  private let connections: [Connection]

  init(_ program: DoorProgram, _ path: String) throws {
    (self.program, self.path) = (program, path)
    connections = try (0..<program.connections).map { connection in
      try Connection(
        path, (1...program.inFlight).map { program.question(connection * program.inFlight + $0 - 1, $0) })
    }
    for connection in connections {
      if !program.hello.isEmpty { _ = try connection.socket.receive(atMost: 4_096) }
      try connection.socket.sendAll(Array(program.hello.utf8) + connection.questions.joined())
    }
  }

  private static func connect(_ path: String) throws -> Descriptor {
    let socket = try Descriptor.socket(.localStream)
    // an answer that does not come ends the bench
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket.number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    try socket.connect(to: SocketAddress(path: path))
    return socket
  }

  /// - Returns: How many right answers came, and in what time.
  func run(for duration: Duration) throws -> (answers: Int, duration: Duration) {
    let start = ContinuousClock.now
    var answers = 0
    while ContinuousClock.now - start < duration {
      // one waits while the others' questions are answered
      for connection in connections { answers += try turn(connection) }
    }
    return (answers, ContinuousClock.now - start)
  }

  private func turn(_ connection: Connection) throws -> Int {
    let chunk = try connection.socket.receive(atMost: 4_096)
    connection.received += chunk
    let heard = connection.received
    guard chunk.isEmpty || heard.suffix(program.end.utf8.count).elementsEqual(program.end.utf8) else { return 0 }
    connection.received = []
    let answers = program.inFlight == 1 ? [heard[...]] : heard.split(separator: UInt8(ascii: "\n"))
    guard !answers.isEmpty,
      answers.allSatisfy({ $0.dropFirst(program.right.offset).starts(with: program.right.text.utf8) })
    else { throw Load.Failed(description: "\(program.title): \"\(String(decoding: heard, as: UTF8.self))\"") }
    if program.isConnectionEach { connection.socket = try Self.connect(path) }
    try connection.socket.sendAll(answers.flatMap { connection.questions[number(of: $0) - 1] })
    return answers.count
  }

  private func number(of answer: ArraySlice<UInt8>) -> Int {
    program.inFlight == 1 ? 1 : answer.dropFirst(3).prefix { $0 != 9 }.reduce(0) { $0 * 10 + Int($1 & 15) }
  }
}
