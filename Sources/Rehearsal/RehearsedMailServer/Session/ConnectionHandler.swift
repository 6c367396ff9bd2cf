internal import RehearsedPorts

/// Serves one connection: reads commands, plays the condition, answers.
struct ConnectionHandler: Sendable {
  let service: Service
  /// The port with TLS for connections after STARTTLS, or nil if there is no such port.
  let startTLS: Port?

  /// Whether the connection continues after an answer.
  private enum Going { case on, over }

  /// Serves a connection until it is closed. Runs on the connection's thread.
  ///
  /// - Parameters:
  ///   - isSecure: Whether the connection came over TLS.
  ///   - greets: Whether to send the greeting and count the connection. False after STARTTLS.
  func serve(_ socket: SharedSocket, isSecure: Bool, greets: Bool) {
    if greets {
      service.countConnection()
      guard say(Answer(220, "localhost ESMTP, rehearsed"), at: .greeting, on: socket) == .on else { return }
    }
    var session = Session(service.rules, isSecure: isSecure)
    defer { service.complain(session.complaints) }
    var reader = LineReader(socket)
    while let line = reader.next() {
      if !line.hasSuffix("\r\n") { session.complaints.append("a command that ends without CR") }
      guard act(on: line.dropLast(line.hasSuffix("\r\n") ? 2 : 1), &session, &reader, socket) == .on else { return }
    }
  }

  private func act(
    on line: ArraySlice<UInt8>, _ session: inout Session, _ reader: inout LineReader, _ socket: SharedSocket
  ) -> Going {
    let before = session
    switch session.take(Array(line), offersTLS: offersTLS, isGreylisted: service.isGreylisted) {
    case .answer(let answer, let stage):
      return say(answer, at: stage, on: socket) { session.goBack(to: before) }
    case .startTLS(let answer):
      var isRefused = false
      guard say(answer, at: .startTLS, on: socket, unlessUsual: { isRefused = true }) == .on else { return .over }
      if isRefused { return .on }
      beginTLS(socket, reader)
      return .over
    case .askResponse(var question):
      while true {
        guard send(question, on: socket) == .on, let line = reader.next() else { return .over }
        switch session.takeResponse(Array(line.dropLast(line.hasSuffix("\r\n") ? 2 : 1))) {
        case .askResponse(let next): question = next
        case .answer(let answer, let stage): return say(answer, at: stage, on: socket) { session.goBack(to: before) }
        case .startTLS, .takeMail: return .over
        }
      }
    case .takeMail(let answer):
      var isRefused = false
      guard say(answer, at: .data, on: socket, unlessUsual: { isRefused = true }) == .on else { return .over }
      return isRefused ? .on : take(&session, &reader, socket)
    }
  }

  private var offersTLS: Bool { startTLS != nil && service.condition != .withoutStartTLS }

  private func take(_ session: inout Session, _ reader: inout LineReader, _ socket: SharedSocket) -> Going {
    var content = MailContent()
    while true {
      guard let line = reader.next(), content.bytes.count <= LineReader.maximumBytes else { return .over }
      if service.condition == .cutting {
        socket.reset()
        return .over
      }
      if content.takes(line) { break }
    }
    let mail = session.takeMail(content)
    // reads the condition once, for both acceptance and answer, because it may change at any time
    let disturbance = service.condition.disturbance(at: .message)
    if case .answer = disturbance {} else { service.accept(mail) }
    return play(disturbance, Answer(250, "2.0.0 Ok, queued"), on: socket)
  }

  /// - Parameter unlessUsual: Called if another answer replaces the usual one, because the command then has no effect.
  private func say(
    _ answer: Answer, at stage: MailCondition.Stage?, on socket: SharedSocket, unlessUsual: () -> Void = {}
  ) -> Going {
    let disturbance = stage.flatMap(service.condition.disturbance)
    if case .answer = disturbance { unlessUsual() }
    return play(disturbance, answer, on: socket)
  }

  private func play(_ disturbance: Disturbance?, _ usual: Answer, on socket: SharedSocket) -> Going {
    guard socket.isOpen(after: service.condition.delay) else { return .over }
    switch disturbance {
    case nil: return send(usual, on: socket)
    case .answer(let answer): return send(answer, on: socket)
    case .reset: socket.reset()
    case .silence: socket.waitForEnd()
    }
    return .over
  }

  private func send(_ answer: Answer, on socket: SharedSocket) -> Going {
    guard socket.send(answer.bytes) else { return .over }
    guard answer.isLast else { return .on }
    socket.finish()
    return .over
  }

  private func beginTLS(_ socket: SharedSocket, _ reader: LineReader) {
    // RFC 3207 section 4: commands from before TLS must not count within it
    if reader.hasMore { service.complain(["commands behind STARTTLS, before TLS"]) }
    guard !reader.hasMore, let startTLS, let behind = try? startTLS.connected() else { return }
    socket.splice(with: behind)
  }
}

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
