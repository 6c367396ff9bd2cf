internal import JSONRPC
internal import Linux
internal import Synchronization

/// One thread that serves connections: waits for what happens to their descriptors, reads, answers and sends. All that is
/// here belongs to that thread; others leave messages (`LoopHandle`).
///
/// The loop goes in rounds. In each it serves what is ready, as long as the user has time left in the round; what finds its
/// user's slice spent waits for its turn, and is served when the bytes of other users have been seen.
final class EventLoop {
  /// A user's time in one round, in nanoseconds, and that of a round while only connections that wait are served: another
  /// user's bytes are seen after it. A round without anything to do costs a thousandth of it.
  private static let slice = 1_000_000
  /// What the first turn of a round has in any case, however long it took to look at the events.
  private static let leastTurn = slice / 8
  /// What is read at once; the memory of all connections of the loop.
  private static let bufferBytes = 65_536

  let handle: LoopHandle
  let parts: Connection.Parts
  let buffer: UnsafeMutableRawBufferPointer
  /// The time when something was done last.
  private(set) var now = MonotonicInstant.now
  private let rules: ServerRules.InForce
  private var acceptor: Acceptor?
  private var connections = ConnectionTable()
  private var users = LoopUsers()
  private var timers = TimerHeap()
  private var slices = TimeSlices<Turn>(slice: slice)
  /// By user.
  private var executors: [LoopExecutor] = []
  private var events = EventPoll.Events()
  private var messages: [LoopHandle.Message] = []
  private var jobs: [LoopExecutor.Job] = []
  /// Connections that have got responses and are served when all messages have been followed: one send takes them all.
  private var replied: [ConnectionTable.Place] = []
  private var isDraining = false
  private var isEnding = false

  /// What waits for a turn of its user.
  private enum Turn {
    case connection(ConnectionTable.Place)
    case job(LoopExecutor.Job)
  }

  init(_ handle: LoopHandle, _ acceptor: Acceptor?, _ rules: ServerRules.InForce, _ parts: Connection.Parts) {
    (self.handle, self.acceptor, self.rules, self.parts) = (handle, acceptor, rules, parts)
    buffer = .allocate(byteCount: Self.bufferBytes, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// Goes round until it is told to end; nothing is open then.
  func run() {
    while !isEnding {
      handle.poll.wait(for: &events, atMost: pause)
      look()
      var begun = now
      for index in 0..<events.count { note(events[index]) }
      let noted = now
      acceptor?.accept(self, until: noted.advanced(byNanoseconds: Self.slice))
      // a crowd that connects takes nothing of the time of those who wait for a turn
      begun = begun.advanced(byNanoseconds: now.nanoseconds(since: noted))
      takeMessages(since: begun)
      while let owner = timers.takeExpired(at: now) { connections[owner]?.timeHasCome(self) }
      serveTurns(since: begun)
      slices.beginRound()
    }
    for connection in connections.all { serve(connection, .broken) }
  }

  /// How long the loop may wait for events; nil if nothing else is to be done.
  private var pause: Duration? {
    guard slices.isEmpty, acceptor?.hasCallers != true, handle.fallAsleep() else { return .zero }
    guard let next = timers.next else { return acceptor?.pausedUntil.map { $0 - .now } }
    return (acceptor?.pausedUntil.map { min($0, next) } ?? next) - .now
  }

  /// Looks at the clock.
  func look() { now = .now }

  private func note(_ event: EventPoll.Event) {
    guard event.token >= ConnectionTable.firstToken else {
      if event.token == Acceptor.token { acceptor?.note(event) }
      return
    }
    guard let connection = connections[ConnectionTable.Place(token: event.token)] else { return }
    var news: ConnectionState.News = []
    if event.isReadable { news.insert(.input) }
    if event.hasBoundary { news.insert(.boundary) }
    if event.isWritable { news.insert(.output) }
    if event.isHungUp { news.insert(.gone) }
    serve(connection, .happened(news))
  }

  /// Follows messages and does jobs, and those that come of them, until the round that began then has lasted a slice.
  private func takeMessages(since begun: MonotonicInstant) {
    let end = begun.advanced(byNanoseconds: Self.slice)
    repeat {
      handle.take(&messages, &jobs)
      guard !messages.isEmpty || !jobs.isEmpty else { return }
      for message in messages { follow(message) }
      messages.removeAll(keepingCapacity: messages.count < 1024)
      for job in jobs { if slices.left(to: job.user) > 0 { run(job) } else { slices.wait(.job(job), of: job.user) } }
      jobs.removeAll(keepingCapacity: jobs.count < 4096)
      serveReplied()
      look()
    } while now < end
  }

  private func serveReplied() {
    for place in replied {
      guard let connection = connections[place] else { continue }
      connection.isReplied = false
      serve(connection, .changed)
    }
    replied.removeAll(keepingCapacity: replied.count < 1024)
  }

  private func follow(_ message: LoopHandle.Message) {
    switch message {
    case .caller(let new): add(new)
    case .lateCallers(let descriptors): acceptor?.greet(descriptors, self)
    case .completed(let place, let pending, let response): connections[place]?.complete(pending, response, self)
    case .answered(let place, let call, let answer): connections[place]?.resume(call, answer, self)
    case .notifications(let place): if let connection = connections[place] { serve(connection, .changed) }
    case .order(let order):
      // what came before the order is sent before it, too
      serveReplied()
      follow(order)
    case .question(let answer): answer()
    }
  }

  private func follow(_ order: LoopHandle.Order) {
    switch order {
    case .adopt(let rules): for connection in connections.all { connection.adopt(rules, self) }
    case .stopListening: acceptor?.stop()
    case .drain:
      isDraining = true
      for connection in connections.all { connection.drain(self) }
    case .shutDown: for connection in connections.all { connection.shutDown(self) }
    case .closeAll: for connection in connections.all { serve(connection, .broken) }
    case .end: isEnding = true
    }
  }

  // MARK: For connections

  /// Begins to serve a caller, on this loop.
  func add(_ new: NewCaller) {
    // read now: of rules that are replaced from here on, the connection is told
    let user = users.join(new.caller.uid)
    let connection = connections.insert { Connection(new, rules.now, parts, user: user, at: $0) }
    connection.begin(self)
    if isDraining { connection.drain(self) }
  }

  /// Has a connection handle an event, in the time that its user has left in this round.
  func serve(_ connection: Connection, _ event: ConnectionState.Event) {
    let (user, begun) = (connection.user, now)
    let left = slices.left(to: user)
    connection.handle(event, until: left > 0 ? begun.advanced(byNanoseconds: left) : nil, self)
    if now > begun { slices.spend(now.nanoseconds(since: begun), by: user) }
  }

  func awaitTurn(_ connection: Connection) { slices.wait(.connection(connection.place), of: connection.user) }

  /// Has a connection served soon, once for all responses that have come by then.
  func serveSoon(_ connection: Connection) {
    guard !connection.isReplied else { return }
    connection.isReplied = true
    replied.append(connection.place)
  }

  /// Where tasks of the user go on.
  func executor(of user: Int) -> LoopExecutor {
    while executors.count <= user { executors.append(LoopExecutor(handle, user: executors.count)) }
    return executors[user]
  }

  private func run(_ job: LoopExecutor.Job) {
    let begun = now
    job.run()
    look()
    slices.spend(now.nanoseconds(since: begun), by: job.user)
  }

  /// Serves what waits, until the round that began then has lasted a slice.
  private func serveTurns(since begun: MonotonicInstant) {
    guard !slices.isEmpty else { return }
    look()
    let end = begun.advanced(byNanoseconds: Self.slice)
    repeat {
      guard let next = slices.next() else { return }
      switch next.element {
      case .job(let job): run(job)
      case .connection(let place):
        guard let connection = connections[place] else { continue }
        let before = now
        let time = max(Self.leastTurn, min(next.time, end.nanoseconds(since: before)))
        connection.handle(.turn, until: before.advanced(byNanoseconds: time), self)
        slices.spend(now.nanoseconds(since: before), by: next.user)
      }
    } while now < end
  }

  func schedule(_ time: MonotonicInstant?, for place: ConnectionTable.Place) {
    timers.set(Int(place.index), to: time)
  }

  /// A connection has closed; it goes when nothing of it is under way.
  func closed(_ connection: Connection) {
    handle.connections.wrappingSubtract(1, ordering: .relaxed)
    forgetIfDone(connection)
  }

  func forgetIfDone(_ connection: Connection) {
    guard connection.conversation.inFlight == 0 else { return }
    timers.set(Int(connection.place.index), to: nil)
    connections.remove(connection.place)
    users.leave(connection.caller.uid)
  }
}
