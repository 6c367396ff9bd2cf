internal import Glibc
internal import Linux

/// A program at a door: its questions, and the answers that it expects.
struct DoorProgram {
  let title: String
  let door: String
  var connections = 16
  /// Concurrent questions of each connection. If there are several, answers are lines of `OK`, a tab and the question's
  /// number.
  var inFlight = 1
  var isConnectionEach = false
  var hashes = true
  /// Sent first, by a program that expects a greeting.
  var hello = ""
  /// The last bytes of an answer, if it may arrive in parts.
  let end: String
  /// The text of a correct answer after this number of bytes.
  let right: (offset: Int, text: String)
  /// The question about an account, with its number from 1 to `inFlight`.
  let question: @Sendable (_ account: Int, _ number: Int) -> [UInt8]
}

/// One connection of a program, which sends a new question after each answer.
final class DoorCaller {
  private let (program, path): (DoorProgram, String)
  private let questions: [[UInt8]]
  private var socket: Descriptor
  private var received: [UInt8] = []

  init(_ program: DoorProgram, _ path: String, connection: Int) throws {
    (self.program, self.path) = (program, path)
    questions = (1...program.inFlight).map { program.question(connection * program.inFlight + $0 - 1, $0) }
    socket = try Self.connect(path)
    if !program.hello.isEmpty { _ = try socket.receive(atMost: 4_096) }
    try socket.sendAll(Array(program.hello.utf8) + questions.joined())
  }

  private static func connect(_ path: String) throws -> Descriptor {
    let socket = try Descriptor.socket(.localStream)
    // a missing answer ends the benchmark
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(socket.number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    try socket.connect(to: SocketAddress(path: path))
    return socket
  }

  /// Waits for answers and sends a new question for each.
  ///
  /// - Returns: The number of complete answers. A wrong answer ends the benchmark.
  func turn() throws -> Int {
    let chunk = try socket.receive(atMost: 4_096)
    received += chunk
    guard chunk.isEmpty || received.suffix(program.end.utf8.count).elementsEqual(program.end.utf8) else { return 0 }
    let answers = program.inFlight == 1 ? [received[...]] : received.split(separator: UInt8(ascii: "\n"))
    guard !answers.isEmpty,
      answers.allSatisfy({ $0.dropFirst(program.right.offset).starts(with: program.right.text.utf8) })
    else { throw Load.Failed(description: "\(program.title): \"\(String(decoding: received, as: UTF8.self))\"") }
    received = []
    if program.isConnectionEach { socket = try Self.connect(path) }
    try socket.sendAll(answers.flatMap { questions[number(of: $0) - 1] })
    return answers.count
  }

  private func number(of answer: ArraySlice<UInt8>) -> Int {
    program.inFlight == 1 ? 1 : answer.dropFirst(3).prefix { $0 != 9 }.reduce(0) { $0 * 10 + Int($1 & 15) }
  }
}
