internal import JSONRPC
internal import Linux
internal import Synchronization

/// An event loop as other threads see it: they leave messages, which the loop takes in their order.
final class LoopHandle: Sendable {
  enum Message: Sendable {
    /// A caller that this loop is to serve.
    case caller(NewCaller)
    /// Callers that were accepted when the socket was closed already.
    case lateCallers([Int32])
    /// A request that took time has its response; nil where nothing is to be sent.
    case completed(ConnectionTable.Place, PendingReply, [UInt8]?)
    /// Another thread has answered a call.
    case answered(ConnectionTable.Place, OffloadedCall, OffloadedCall.Answer)
    /// Notifications wait.
    case notifications(ConnectionTable.Place)
    case order(Order)
    /// Called when the loop comes to it: it goes round, and has done what it was told before.
    case question(@Sendable () -> Void)
  }

  /// What all connections of a loop are told.
  enum Order: Sendable {
    case adopt(ServerRules)
    /// No more callers are accepted, and the listening socket is closed.
    case stopListening
    /// New requests are refused; those in flight go on.
    case drain
    /// The time for that is over.
    case shutDown
    /// Everything is closed, finished or not.
    case closeAll
    /// The loop's thread ends.
    case end
  }

  private struct State {
    var messages: [Message] = []
    /// What tasks do next on the loop; apart from the messages, which are ten times as large.
    var jobs: [LoopExecutor.Job] = []
    /// The loop waits for events, and looks at messages only when it is woken up.
    var isAsleep = false
  }

  let poll: EventPoll
  /// What is begun for the loop's connections and goes on on the loop.
  let lookUps: WorkQueue
  private let bell: EventCounter
  private let state = Mutex(State())
  /// Connections that the loop has or is about to have.
  let connections = Atomic<Int>(0)

  /// The token of the bell's events.
  static let bellToken: UInt64 = 0

  init(_ lookUps: WorkQueue = WorkQueue()) throws(SystemError) {
    self.lookUps = lookUps
    poll = try EventPoll()
    bell = try EventCounter()
    // each ring is a change, so that none needs to be taken back
    try poll.add(bell.number, for: .readable, token: Self.bellToken)
  }

  /// Descriptors that one has.
  static let descriptors = 2

  /// Leaves a message; on any thread.
  func post(_ message: Message) { leave { $0.messages.append(message) } }

  /// Leaves a job; on any thread.
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

  /// Whether the loop may wait for events: no message or job has come. From then on each wakes it up.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.messages.isEmpty && state.jobs.isEmpty
      return state.isAsleep
    }
  }

  /// Takes all messages and jobs, and is awake. `messages` and `jobs` are empty, and their memory is used for those that come
  /// next.
  func take(_ messages: inout [Message], _ jobs: inout [LoopExecutor.Job]) {
    state.withLock { state in
      state.isAsleep = false
      swap(&messages, &state.messages)
      swap(&jobs, &state.jobs)
    }
  }
}
