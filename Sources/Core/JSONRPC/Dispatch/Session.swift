import Synchronization

/// The connection that a request came on, as its method sees it: who calls, what the method keeps for this connection,
/// and a way to tell the caller what it has not asked for (notifications, JSON-RPC 2.0 §4.1).
package final class Session: Sendable {
  private struct State {
    /// Empty where a later one has come in its place.
    var texts: [[UInt8]] = []
    /// Where those stand that tell a state.
    var places: [Int: Int] = [:]
    var bytes = 0
    /// What is to be done behind the next reply to a request that takes time.
    var afterReply: [@Sendable () -> Void] = []
    var attachments: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    var wake: (@Sendable () -> Void)?
    var taken: (@Sendable () -> Void)?
    var isOver = false

    /// The next text tells the state of `subject`. What told it before is taken out of its place: the newer state stands
    /// behind everything that happened in between.
    mutating func replace(_ subject: Int) {
      if let place = places[subject] {
        bytes -= texts[place].count
        texts[place] = []
      }
      places[subject] = texts.count
      // those that were taken out are as many as those that are told at the most
      if texts.count > 64, texts.count(where: \.isEmpty) * 2 > texts.count { closeUp() }
    }

    private mutating func closeUp() {
      var kept: [[UInt8]] = []
      var moved: [Int: Int] = [:]
      let subjects = Dictionary(uniqueKeysWithValues: places.map { ($1, $0) })
      for (place, text) in texts.enumerated() where !text.isEmpty {
        if let subject = subjects[place] { moved[subject] = kept.count }
        kept.append(text)
      }
      // the one that comes next
      if let subject = subjects[texts.count] { moved[subject] = kept.count }
      (texts, places) = (kept, moved)
    }
  }

  package let caller: Caller
  /// What the caller's user takes of the server; nil where nobody counts.
  package let usage: PeerUsage?
  /// Bytes that a user may have the server hold: of texts that have not ended, and of what methods keep.
  package let heldBytesLimit: Int
  private let state = Mutex(State())
  /// Looked at behind every text, for which the lock would be too much.
  private let hasTexts = Atomic<Bool>(false)

  package init(caller: Caller, usage: PeerUsage? = nil, heldBytesLimit: Int = .max) {
    self.caller = caller
    self.usage = usage
    self.heldBytesLimit = heldBytesLimit
  }

  // MARK: For methods

  /// Has a notification sent. Nobody is left to be told where the connection has gone.
  ///
  /// - Parameters:
  ///   - subject: What the params tell the state of, where only its last state counts: a notification with the same one
  ///     that still waits is not sent.
  ///   - limit: Bytes of notifications that may wait to be taken; with more waiting, this one is not sent.
  ///   - params: Writes the params, one value.
  /// - Returns: Whether it is sent.
  @discardableResult
  package func notify(
    _ method: StaticString, stateOf subject: Int? = nil, unlessWaiting limit: Int = .max,
    _ params: (inout JSONWriter) -> Void
  ) -> Bool {
    let text = Self.text(method, params)
    let (isTaken, wake): (Bool, (@Sendable () -> Void)?) = state.withLock { state in
      guard !state.isOver, state.bytes < limit else { return (false, nil) }
      // who waits already has been woken
      let wake = state.texts.isEmpty ? state.wake : nil
      if let subject { state.replace(subject) }
      state.bytes += text.count
      state.texts.append(text)
      return (true, wake)
    }
    if isTaken { hasTexts.store(true, ordering: .releasing) }
    wake?()
    return isTaken
  }

  /// Has something done behind the next reply to a request that takes time: mostly to tell a state that would be old if
  /// it were written now.
  package func afterReply(_ deed: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if !state.isOver { state.afterReply.append(deed) }
    }
  }

  /// What a kind of method keeps for this connection: made when it is first asked for, let go of when the connection ends.
  package func attachment<Kind: AnyObject & Sendable>(_ make: () -> Kind) -> Kind {
    let key = ObjectIdentifier(Kind.self)
    if let kept = existing(Kind.self) { return kept }
    let made = make()
    return state.withLock { state in
      if let kept = state.attachments[key] as? Kind { return kept }
      // of a connection that has gone nothing is kept
      if !state.isOver { state.attachments[key] = made }
      return made
    }
  }

  package func existing<Kind: AnyObject & Sendable>(_ kind: Kind.Type) -> Kind? {
    state.withLock { $0.attachments[ObjectIdentifier(kind)] as? Kind }
  }

  /// Lets go of what `attachment` has made.
  package func detach<Kind: AnyObject & Sendable>(_ kind: Kind.Type) {
    // what is let go of ends behind the lock: it may have something to say to this session
    let kept = state.withLock { $0.attachments.removeValue(forKey: ObjectIdentifier(kind)) }
    withExtendedLifetime(kept) {}
  }

  /// - Parameter taken: Called when what waited has been taken; on the event loop, so it may not block.
  package func whenTaken(_ taken: (@Sendable () -> Void)?) { state.withLock { $0.taken = taken } }

  // MARK: For the conversation

  /// - Parameter wake: Called when there is something to send and nobody has been told yet; on any thread.
  package func whenWaiting(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  @inline(__always)
  var isWaiting: Bool { hasTexts.load(ordering: .acquiring) }

  /// Bytes of notifications that wait to be taken.
  var waitingBytes: Int { isWaiting ? state.withLock { $0.bytes } : 0 }

  func takeTexts() -> [[UInt8]] {
    guard isWaiting else { return [] }
    let (texts, taken) = state.withLock { state in
      var texts: [[UInt8]] = []
      swap(&texts, &state.texts)
      state.places = [:]
      state.bytes = 0
      hasTexts.store(false, ordering: .releasing)
      texts.removeAll(where: \.isEmpty)
      return (texts, state.taken)
    }
    taken?()
    return texts
  }

  /// A request that takes time has its reply.
  func hasReplied() {
    let deeds = state.withLock { state in
      defer { state.afterReply = [] }
      return state.afterReply
    }
    for deed in deeds { deed() }
  }

  /// The connection has gone.
  func end() {
    let kept = state.withLock { state in
      let kept = state.attachments
      state = State()
      state.isOver = true
      return kept
    }
    // what was kept ends behind the lock: it may have something to say to this session
    withExtendedLifetime(kept) {}
  }

  private static func text(_ method: StaticString, _ params: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      writer.member("method", method)
      writer.name("params")
      params(&writer)
    }
    return writer.bytes
  }
}
