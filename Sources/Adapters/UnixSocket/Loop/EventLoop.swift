internal import Linux
internal import Synchronization
internal import WireProtocols
internal import WorkerThreads

/// One thread that serves connections: waits for events of their descriptors, reads, answers and sends. All state here
/// belongs to that thread. Other threads leave messages (`LoopHandle`).
///
/// The loop works in rounds, and each user has a slice of time per round. The loop serves ready connections at once
/// while their user has time left. Afterwards they wait for a turn, which comes after the loop has looked for other
/// users' bytes.
final class EventLoop: Rounds {
  /// A user's time in one round, in nanoseconds. Also how long a round may serve waiting connections before the loop
  /// looks for other users' bytes. A round without work takes a thousandth of this time.
  private static let slice = 1_000_000
  /// The least time that a turn gets, however little of the round is left after the events.
  private static let leastTurn = slice / 8
  /// The most bytes per read. All connections of the loop share this memory.
  private static let bufferBytes = 65_536

  let handle: LoopHandle
  let parts: Connection.Parts
  let buffer: UnsafeMutableRawBufferPointer
  /// The time at the last call of `look`.
  private(set) var now = MonotonicInstant.now
  private let rules: ServerRules.InForce
  private var acceptor: Acceptor?
  private var connections = ConnectionTable()
  private var users = LoopUsers()
  private var timers = TimerHeap()
  private var slices = TimeSlices<Turn>(slice: slice)
  /// The users' executors, by the users' numbers.
  private var executors: [LoopExecutor] = []
  private var events = EventPoll.Events()
  private var messages: [LoopHandle.Message] = []
  private var jobs: [LoopExecutor.Job] = []
  /// Connections with new responses. The loop serves them after all messages, so that one send carries all responses.
  private var replied: [ConnectionTable.Place] = []
  private var isEnding = false

  /// Work that waits for its user's turn.
  private enum Turn {
    case connection(ConnectionTable.Place)
    case job(LoopExecutor.Job)
  }

  init(_ handle: LoopHandle, _ acceptor: Acceptor?, _ rules: ServerRules.InForce, _ parts: Connection.Parts) {
    (self.handle, self.acceptor, self.rules, self.parts) = (handle, acceptor, rules, parts)
    buffer = .allocate(byteCount: Self.bufferBytes, alignment: 16)
  }

  deinit { buffer.deallocate() }

  var descriptor: Int32 { handle.poll.number }

  /// Does one round. The last round is the one in which the order `.end` comes. It closes all connections that are
  /// still open.
  func round(waitingAtMost pause: Duration?) -> Bool {
    handle.poll.wait(for: &events, atMost: pause)
    look()
    var begun = now
    for index in 0..<events.count { note(events[index]) }
    let noted = now
    acceptor?.accept(self, until: noted.advanced(byNanoseconds: Self.slice))
    // the time spent on new callers is not taken from users who wait for a turn
    begun = begun.advanced(byNanoseconds: now.nanoseconds(since: noted))
    takeMessages(since: begun)
    while let owner = timers.takeExpired(at: now) { connections[owner]?.timeHasCome(self) }
    serveTurns(since: begun)
    slices.beginRound()
    if isEnding { for connection in connections.all { serve(connection, .broken) } }
    return !isEnding
  }

  /// How long the loop may wait for events. Zero if there is work to do, and nil if nothing limits the wait.
  var pause: Duration? {
    guard slices.isEmpty, acceptor?.hasCallers != true, handle.fallAsleep() else { return .zero }
    guard let next = timers.next else { return acceptor?.pausedUntil.map { $0 - .now } }
    return (acceptor?.pausedUntil.map { min($0, next) } ?? next) - .now
  }

  /// Reads the clock.
  func look() { now = .now }

  private func note(_ event: EventPoll.Event) {
    guard event.token >= ConnectionTable.firstToken else {
      acceptor?.note(event)
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

  /// Handles messages and jobs, and those that come meanwhile, until a slice of time has passed since `begun`.
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
    case .listen(let listener): acceptor?.listen(at: listener)
    case .lateCallers(let descriptors, let listener): acceptor?.greet(descriptors, at: listener, self)
    case .answered(let place, let number, let answer): connections[place]?.take(answer, to: number, self)
    case .notifications(let place): if let connection = connections[place] { serve(connection, .changed) }
    case .evict(let place): if let connection = connections[place] { serve(connection, .broken) }
    case .order(let order):
      // the loop first sends the responses that came earlier than the order
      serveReplied()
      follow(order)
    case .question(let answer): answer()
    }
  }

  private func follow(_ order: LoopHandle.Order) {
    switch order {
    case .adopt(let rules): for connection in connections.all { connection.adopt(rules, self) }
    case .stopListening: acceptor?.stop(handle.poll)
    case .drain: for connection in connections.all { connection.drainIfNeeded(self) }
    case .shutDown: for connection in connections.all { connection.shutDown(self) }
    case .closeAll: for connection in connections.all { serve(connection, .broken) }
    case .end: isEnding = true
    }
  }

  // MARK: For connections

  /// Starts serving a caller on this loop. When a listening point stops, its last callers are added before the order to
  /// drain comes.
  func add(_ new: NewCaller) {
    // reads the rules only here: from now on the connection is in the table, and gets every order to adopt new rules
    let user = users.join(new.caller.uid)
    let connection = connections.insert { Connection(new, rules.now, parts, handle, user: user, at: $0) }
    connection.begin(self)
  }

  /// Lets a connection handle an event, within its user's remaining time in this round.
  func serve(_ connection: Connection, _ event: ConnectionState.Event) {
    let (user, begun) = (connection.user, now)
    let left = slices.left(to: user)
    connection.handle(event, until: left > 0 ? begun.advanced(byNanoseconds: left) : nil, self)
    if now > begun { slices.spend(now.nanoseconds(since: begun), by: user) }
  }

  func awaitTurn(_ connection: Connection) { slices.wait(.connection(connection.place), of: connection.user) }

  /// Serves a connection after the present messages, once for all responses that have arrived by then.
  func serveSoon(_ connection: Connection) {
    guard !connection.isReplied else { return }
    connection.isReplied = true
    replied.append(connection.place)
  }

  /// The executor on which the look-ups of this user's requests resume.
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

  /// Serves waiting work until a slice of time has passed since `begun`.
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

  /// Uncounts a closed connection, and forgets it once none of its requests is in flight.
  func closed(_ connection: Connection) {
    handle.connections.wrappingSubtract(1, ordering: .relaxed)
    forgetIfDone(connection)
  }

  func forgetIfDone(_ connection: Connection) {
    guard connection.session.inFlight == 0 else { return }
    timers.set(Int(connection.place.index), to: nil)
    connections.remove(connection.place)
    users.leave(connection.caller.uid)
  }
}

/// Timers of many owners: for each, the next instant at which it wants to be called. An owner has at most one timer, so
/// that a moved or cancelled timer leaves nothing behind. A binary heap that knows each owner's place.
struct TimerHeap {
  private struct Entry {
    let instant: MonotonicInstant
    let owner: Int
  }

  private var heap: [Entry] = []
  /// Each owner's place in the heap, or -1 if it has none.
  private var places: [Int] = []

  /// The earliest instant.
  var next: MonotonicInstant? { heap.first?.instant }

  /// - Parameters:
  ///   - owner: A small number, 0 or more.
  ///   - instant: Replaces the owner's former instant. Nil cancels the timer.
  mutating func set(_ owner: Int, to instant: MonotonicInstant?) {
    if owner >= places.count {
      guard instant != nil else { return }
      places += [Int](repeating: -1, count: owner + 1 - places.count)
    }
    if places[owner] >= 0 { remove(at: places[owner]) }
    guard let instant else { return }
    heap.append(Entry(instant: instant, owner: owner))
    places[owner] = heap.count - 1
    rise(from: heap.count - 1)
  }

  /// Removes and returns an owner whose instant has come, the earliest first. Returns nil if no instant has come.
  mutating func takeExpired(at now: MonotonicInstant) -> Int? {
    guard let first = heap.first, first.instant <= now else { return nil }
    remove(at: 0)
    return first.owner
  }

  private mutating func remove(at place: Int) {
    let last = heap.count - 1
    swap(place, last)
    places[heap.removeLast().owner] = -1
    if place < last {
      sink(from: place)
      rise(from: place)
    }
  }

  private mutating func rise(from place: Int) {
    var place = place
    while place > 0, heap[place].instant < heap[(place - 1) / 2].instant {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(from place: Int) {
    var place = place
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child].instant < heap[least].instant { least = child }
      guard least != place else { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    places[heap[one].owner] = one
    places[heap[other].owner] = other
  }
}

/// Gives small numbers to the users with connections on an event loop, so that a uid is looked up once per connection,
/// not per event.
struct LoopUsers {
  /// regd's own number, for work that it does for all users.
  static let regd = 0

  private var numbers: [UInt32: Int] = [:]
  /// How many connections each user has, indexed by the user's number.
  private var connections = [0]
  private var free: [Int] = []

  /// Counts a connection of the user, and returns the user's number.
  mutating func join(_ uid: UInt32) -> Int {
    if let number = numbers[uid] {
      connections[number] += 1
      return number
    }
    let number = free.popLast() ?? connections.count
    if number == connections.count { connections.append(0) }
    connections[number] = 1
    numbers[uid] = number
    return number
  }

  /// Uncounts a connection of the user. After the last one, another user may get the number.
  mutating func leave(_ uid: UInt32) {
    guard let number = numbers[uid] else { return }
    connections[number] -= 1
    guard connections[number] == 0 else { return }
    numbers[uid] = nil
    free.append(number)
  }
}
