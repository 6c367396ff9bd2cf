internal import Linux
internal import Synchronization

/// An event loop as other threads see it: they leave messages, which the loop handles in order.
final class LoopHandle: Sendable {
  enum Message: Sendable {
    /// A caller that this loop is to serve.
    case caller(NewCaller)
    /// A listening point at which to accept callers. Only for the loop that accepts.
    case listen(Listener)
    /// Callers that were accepted from the kernel's queue after the acceptor had closed the socket.
    case lateCallers([Int32], Listener)
    /// The answer of the deferred work with this number, for the connection's session.
    case answered(ConnectionTable.Place, Int, any Sendable)
    /// The connection's session has notifications to send.
    case notifications(ConnectionTable.Place)
    /// The connection gives its place to another one of its user, and is closed.
    case evict(ConnectionTable.Place)
    case order(Order)
    /// A closure that the loop calls after all earlier messages, to show that the loop still runs.
    case question(@Sendable () -> Void)
  }

  /// An order to a loop. Most orders concern all of its connections.
  enum Order: Sendable {
    case adopt(ServerRules)
    /// Accept no more callers at listening points that stop, and close their sockets.
    case stopListening
    /// Refuse new requests at listening points that stop. Those in flight continue.
    case drain
    /// The time that a drain leaves for requests is up: requests in flight are answered without their result.
    case shutDown
    /// Close all connections, finished or not.
    case closeAll
    /// End the loop's thread.
    case end
  }

  private struct State {
    var messages: [Message] = []
    /// The next pieces of tasks. They are not among the messages, because a message is ten times as large as a job.
    var jobs: [LoopExecutor.Job] = []
    /// Whether the loop waits for events, and must be woken to see messages.
    var isAsleep = false
  }

  let poll: EventPoll
  /// The look-ups of the loop's connections, which run on the loop itself.
  let lookUps: WorkQueue
  private let bell: EventCounter
  private let state = Mutex(State())
  /// Connections that the loop has or will get.
  let connections = Atomic<Int>(0)

  /// The token of the events of `bell`, the counter that wakes the loop.
  static let bellToken: UInt64 = 0

  init(_ lookUps: WorkQueue = WorkQueue()) throws(SystemError) {
    self.lookUps = lookUps
    poll = try EventPoll()
    bell = try EventCounter()
    // epoll reports each signal of the counter as an edge, so the loop need not reset the counter
    try poll.add(bell.number, for: .readable, token: Self.bellToken)
  }

  /// How many descriptors one handle takes.
  static let descriptors = 2

  /// Leaves a message. May be called on any thread.
  func post(_ message: Message) { leave { $0.messages.append(message) } }

  /// Leaves a job. May be called on any thread.
  func post(_ job: LoopExecutor.Job) { leave { $0.jobs.append(job) } }

  private func leave(_ something: (inout sending State) -> Void) {
    let isAsleep = state.withLock { state in
      something(&state)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if isAsleep { bell.signal() }
  }

  // MARK: For the loop itself

  /// Returns whether the loop may wait for events, because there is no message and no job. If so, the next message or
  /// job wakes the loop.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.messages.isEmpty && state.jobs.isEmpty
      return state.isAsleep
    }
  }

  /// Takes all messages and jobs, and marks the loop as awake. `messages` and `jobs` must be empty. Their memory is reused for
  /// later ones.
  func take(_ messages: inout [Message], _ jobs: inout [LoopExecutor.Job]) {
    state.withLock { state in
      state.isAsleep = false
      swap(&messages, &state.messages)
      swap(&jobs, &state.jobs)
    }
  }
}

/// Resumes tasks on an event loop after each of their waits, if they prefer this executor (SE-0417), and charges the
/// time to one user's slice. Such a task must not run long between two waits, because it holds up the loop.
final class LoopExecutor: TaskExecutor {
  private let handle: LoopHandle
  /// The user's number on the loop.
  let user: Int

  init(_ handle: LoopHandle, user: Int) { (self.handle, self.user) = (handle, user) }

  /// A task's next piece, up to its next wait.
  struct Job: Sendable {
    fileprivate let job: UnownedJob
    fileprivate let executor: LoopExecutor

    var user: Int { executor.user }

    /// Must be called on the loop's thread, once.
    func run() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
  }

  func enqueue(_ job: consuming ExecutorJob) { handle.post(Job(job: UnownedJob(job), executor: self)) }
}

/// The connections of one event loop. Events and other threads name a connection by its place. When a place is reused,
/// it gets another generation, so that a late message for the former connection does not reach the new one.
struct ConnectionTable {
  struct Place: Hashable, Sendable {
    fileprivate(set) var index: UInt32
    fileprivate(set) var generation: UInt32

    /// The epoll(7) token. Tokens below `firstToken` are not places.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(index) }

    init(token: UInt64) { (index, generation) = (UInt32(truncatingIfNeeded: token), UInt32(token >> 32)) }

    fileprivate init(index: UInt32, generation: UInt32) { (self.index, self.generation) = (index, generation) }
  }

  static let firstToken: UInt64 = 1 << 32

  private struct Slot {
    var generation: UInt32 = 1
    var connection: Connection?
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []

  /// Makes the connection for a free place, and inserts it.
  mutating func insert(_ make: (Place) -> Connection) -> Connection {
    let index: UInt32
    if let last = free.popLast() {
      index = last
    } else {
      index = UInt32(slots.count)
      slots.append(Slot())
    }
    let connection = make(Place(index: index, generation: slots[Int(index)].generation))
    slots[Int(index)].connection = connection
    return connection
  }

  subscript(place: Place) -> Connection? {
    guard place.index < slots.count, slots[Int(place.index)].generation == place.generation else { return nil }
    return slots[Int(place.index)].connection
  }

  /// The connection at an index, whatever its generation.
  subscript(index: Int) -> Connection? { slots[index].connection }

  mutating func remove(_ place: Place) {
    guard self[place] != nil else { return }
    slots[Int(place.index)].connection = nil
    // 0 is not a generation: it belongs to the tokens below `firstToken`
    slots[Int(place.index)].generation = max(1, place.generation &+ 1)
    free.append(place.index)
  }

  var all: [Connection] { slots.compactMap(\.connection) }
}
