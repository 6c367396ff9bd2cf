/// The protocol's state on one connection: bytes and answers in, bytes and questions out. A pure state machine: it does no I/O,
/// starts no task, reads no clock, and is called on one thread. The connection owns the socket, the times and the queues.
///
/// A connection makes a few calls for each read, and none for each byte.
package protocol Dialogue: AnyObject {
  /// The bytes that wait to be sent, in their order; valid until the next call.
  var output: UnsafeRawBufferPointer { get }

  /// Drops the output, because it was sent or because there is nobody to send it to.
  func removeOutput()

  /// Bytes of `output`, and of output that has to wait for something else: the rest of a batch, a reply, or room.
  var pendingBytes: Int { get }

  /// How many questions and requests have no answer yet.
  var inFlight: Int { get }

  /// Whether the question with this number has no answer yet.
  func isInFlight(_ number: Int) -> Bool

  /// Returns the dialogue's next possible action.
  ///
  /// - Parameter room: How many bytes of output may wait.
  func standing(within room: Int) -> Standing

  /// Writes the first bytes, for a protocol in which the server speaks first. Not called for a refused connection.
  func greet()

  /// Continues unfinished work, then takes bytes, and answers at once each request that needs no waiting.
  ///
  /// - Parameters:
  ///   - bytes: They follow the bytes that were taken before; they may contain secrets, and are wiped after the call.
  ///   - ask: Called with each question; its answer comes with `take`, after this call.
  /// - Returns: How far the call got. The connection passes untaken bytes again. A dialogue that has ended takes all bytes.
  func receive(_ bytes: UnsafeRawBufferPointer, within room: Room, _ ask: (Question) -> Void) -> Progress

  /// Takes the answer to a question, also after `abandon`.
  func take(_ answer: any Sendable, to number: Int, _ ask: (Question) -> Void)

  /// Notes that the input has ended, and answers the message that this completes.
  func finish(_ ask: (Question) -> Void)

  /// Writes the waiting notifications, `Standing.notificationBytes` in all.
  func writeNotifications()

  /// Sees the first bytes of a connection that is refused anyway.
  ///
  /// - Returns: Whether the dialogue now knows in which form to tell the caller.
  func detectFraming(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// Writes why the connection ends, if the protocol has words for that, and takes no more input.
  func end(because refusal: Refusal)

  /// Applies other limits and rights from now on.
  func adopt(_ limits: Limits, _ access: Access)

  /// Refuses every request from now on, because the listening point stops.
  func drain()

  /// Ends what is in flight, because the time for it is up.
  func shutDown()

  /// Ends a question whose time is up; `take` gets its answer anyway.
  func expire(_ number: Int, afterSeconds seconds: Int)

  /// Wipes the held bytes, and cancels work that has not begun to commit, because the connection has closed.
  func abandon()
}

extension Dialogue {
  package func greet() {}
  package func writeNotifications() {}
  package func detectFraming(_ bytes: UnsafeRawBufferPointer) -> Bool { true }
}

/// The next possible action of a dialogue.
package struct Standing {
  /// Bytes that may be sent now.
  package var output: Int
  /// Bytes of output that wait for something else.
  package var waiting: Int
  /// Questions and requests without an answer.
  package var inFlight: Int
  /// Whether the dialogue takes more bytes now.
  package var takesInput: Bool
  /// Whether the dialogue will never take input again, so that the connection ends once nothing is in flight and all is sent.
  package var isEnding: Bool
  /// Work on bytes that were taken: `receive` continues it, even without bytes, before it takes more.
  package var unfinished: Unfinished
  /// Bytes that `writeNotifications` would write now; nil for none.
  package var notificationBytes: Int?
  /// The number of a message that has begun but is incomplete; nil for none. Counts against `Limits.wholeSeconds`.
  package var begunMessage: Int?

  package enum Unfinished {
    case nothing
    /// It may continue now.
    case ready
    /// It has no room to continue.
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
package struct Room {
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
