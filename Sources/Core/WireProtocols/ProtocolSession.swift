/// The state of a protocol on one connection: bytes and answers in, bytes and deferred work out. A pure state machine: it
/// does no I/O, starts no task, reads no clock, and is called on one thread. The connection owns the socket, the timers
/// and the queues.
///
/// A connection makes a few calls per read, none per byte, so that dynamic dispatch costs little.
package protocol ProtocolSession: AnyObject {
  /// The bytes that wait to be sent, in their order. Valid until the next call.
  var output: UnsafeRawBufferPointer { get }

  /// Drops the output, after the connection has sent it or the client has disconnected.
  func removeOutput()

  /// Bytes of `output`, plus bytes that cannot be sent yet because they wait for the rest of a batch, for a reply, or
  /// for room.
  var pendingBytes: Int { get }

  /// How many pieces of deferred work and requests have no answer yet. Deferred work counts until `take` gets its
  /// answer, even if the client got another reply before, such as a timeout. A closed connection is kept until then, so
  /// that everything counted for it is given back.
  var inFlight: Int { get }

  /// Returns the state from which the connection decides what to do next.
  ///
  /// - Parameter room: The most bytes of output that may wait.
  func readiness(within room: Int) -> SessionReadiness

  /// Writes the first bytes, if the server sends first in this protocol. Not called for a refused connection.
  func greet()

  /// Continues unfinished work, then takes bytes, and answers at once each request that needs no waiting.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that follow those taken before. They may contain secrets, and are wiped after the call.
  ///   - start: Called with each piece of deferred work. Its answer comes with `take`, after this call.
  /// - Returns: How far the call got. The connection passes untaken bytes again. A session that has ended takes all
  ///   bytes.
  func receive(_ bytes: UnsafeRawBufferPointer, within budget: OutputBudget, _ start: (DeferredWork) -> Void)
    -> Progress

  /// Takes the answer of deferred work, also after `abandon`.
  func take(_ answer: any Sendable, to number: Int, _ start: (DeferredWork) -> Void)

  /// Called when the client has ended its input. Answers the message that the end of input completes.
  func finish(_ start: (DeferredWork) -> Void)

  /// Moves the waiting notifications (`SessionReadiness.notificationBytes` bytes) to the output.
  func writeNotifications()

  /// Examines the first bytes of a connection that will be refused, to learn in which framing to write the refusal.
  ///
  /// - Returns: Whether the framing is known now.
  func detectFraming(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// Writes why the connection ends, if the protocol has a message for that, and takes no more input.
  func end(because refusal: Refusal)

  /// Applies the limits and rights of a reloaded configuration from now on.
  func adopt(_ limits: Limits, _ access: Access)

  /// Refuses every request from now on, because the listening point stops.
  func drain()

  /// Ends all requests in flight, because the time limit of a graceful stop has passed.
  func shutDown()

  /// Reports to the client that a request has timed out. The late answer of the request's deferred work still comes to
  /// `take`.
  func expire(_ number: Int, afterSeconds seconds: Int)

  /// Wipes the held bytes, and cancels work that has not begun to commit, because the connection has closed. Work
  /// in flight remains in flight until its answers come.
  func abandon()
}

extension ProtocolSession {
  package func greet() {}
  package func writeNotifications() {}
  package func detectFraming(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
}

/// The state of a session, from which its connection decides what to do next.
package struct SessionReadiness {
  /// Bytes that may be sent now.
  package var output: Int
  /// Bytes of output that cannot be sent yet (`pendingBytes` without `output`).
  package var waiting: Int
  /// Deferred work and requests without an answer that the client still awaits.
  package var inFlight: Int
  /// Whether the session takes more bytes now.
  package var takesInput: Bool
  /// Whether the session will never take input again, so that the connection ends once nothing is in flight and all is sent.
  package var isEnding: Bool
  /// Work on bytes that were taken: `receive` continues it, even without bytes, before it takes more.
  package var unfinished: Unfinished
  /// Bytes that `writeNotifications` would write now, or nil if there are no such bytes.
  package var notificationBytes: Int?
  /// The number of a message that has begun but is incomplete, or nil if there is no such message. Counts against
  /// `Limits.wholeSeconds`.
  package var begunMessage: Int?

  package enum Unfinished {
    case nothing
    /// It may continue now.
    case ready
    /// It waits for room in the output, or for an answer.
    case blocked
  }

  package init(
    output: Int, waiting: Int = 0, inFlight: Int = 0, takesInput: Bool, isEnding: Bool,
    unfinished: Unfinished = .nothing, notificationBytes: Int? = nil
  ) {
    (self.output, self.waiting, self.inFlight) = (output, waiting, inFlight)
    (self.takesInput, self.isEnding, self.unfinished) = (takesInput, isEnding, unfinished)
    self.notificationBytes = notificationBytes
  }
}

/// How many bytes one call of `receive` may add to the output.
package struct OutputBudget {
  /// The call takes no more requests once this many bytes wait.
  package let output: Int
  /// The most bytes of one response.
  package let response: Int

  package init(output: Int, response: Int) { (self.output, self.response) = (output, response) }
}

/// The effect of one call of `receive`.
package struct Progress {
  /// The bytes that were taken.
  package var bytes: Int
  /// The requests that were taken.
  package var requests: Int
  /// Whether the call stopped only to let the connection look at the clock.
  package var isInterrupted: Bool

  package init(bytes: Int, requests: Int, isInterrupted: Bool = false) {
    (self.bytes, self.requests, self.isInterrupted) = (bytes, requests, isInterrupted)
  }
}

/// The protocol of a listening point: makes a session for each connection. A reload may replace the protocol.
/// Sessions that have begun continue, and `renew` updates them.
package protocol WireProtocol: Sendable {
  /// The name for operators, such as `json-rpc`.
  var name: String { get }

  /// - Parameter wake: Notifies the connection, from any thread, that `SessionReadiness.notificationBytes` is no longer nil.
  func session(
    with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
  ) -> any ProtocolSession

  /// Applies the current rights and names to a session that this protocol began before a reload. Called on the
  /// session's thread. The call does not change work in flight.
  func renew(_ session: any ProtocolSession, with caller: Peer)

  /// Adapts the configured limits to the protocol, for example with a shorter time for a request.
  func limits(_ limits: Limits) -> Limits

  /// The bytes for a caller that is refused before it has sent anything. If the array is empty, the connection closes
  /// without sending a byte.
  func text(of refusal: Refusal) -> [UInt8]
}

extension WireProtocol {
  package func renew(_ session: any ProtocolSession, with caller: Peer) {}
  package func limits(_ limits: Limits) -> Limits { limits }
  package func text(of refusal: Refusal) -> [UInt8] { [] }
}

/// Work that a session cannot do itself. The connection has another part do it, and passes the answer to the session.
package struct DeferredWork: Sendable {
  /// Suspends until it is the user's turn: users whose work is queued take turns.
  package typealias Turn = @Sendable () async -> Void

  package enum Kind: Sendable {
    /// Computes for long: done on a worker thread, without a deadline.
    case computing(@Sendable () -> any Sendable)
    /// Suspends for long, for example until the upstream answers: runs as a task on Swift's thread pool.
    case waiting(@Sendable (_ turn: @escaping Turn) async -> any Sendable)
    /// Works only briefly between waits, so it runs on the connection's event loop, which saves thread switches.
    case lookingUp(@Sendable (_ turn: @escaping Turn) async -> any Sendable)
  }

  /// Unique among the session's deferred work. Only work that computes may have the number of an earlier one, because it has
  /// no deadline.
  package let number: Int
  package let kind: Kind

  package init(_ number: Int, _ kind: Kind) { (self.number, self.kind) = (number, kind) }
}
