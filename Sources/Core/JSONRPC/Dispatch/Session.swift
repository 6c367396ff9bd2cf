package import Localization
import Synchronization
package import WireProtocols

/// The connection of a request, as methods see it: the caller, objects that methods keep for the connection, and
/// notifications to the caller (JSON-RPC 2.0 §4.1).
package final class Session: Sendable {
  private struct State {
    /// Notifications that wait to be sent. A notification that a later one has replaced is empty.
    var texts: [[UInt8]] = []
    /// The indexes in `texts` of the notifications that report a state, by subject.
    var places: [Int: Int] = [:]
    var bytes = 0
    /// Called after the next reply to a request that takes time.
    var afterReply: [@Sendable () -> Void] = []
    var attachments: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    var wake: (@Sendable () -> Void)?
    var taken: (@Sendable () -> Void)?
    var isOver = false
    /// The languages that the caller set with `rpc.language`.
    var ranges: String?

    /// Empties the waiting text about the state of `subject`, because the next text reports a newer state. The newer
    /// text goes to the end, after all that happened in between.
    mutating func replace(_ subject: Int) {
      if let place = places[subject] {
        bytes -= texts[place].count
        texts[place] = []
      }
      places[subject] = texts.count
      // keeps at most half of the texts empty
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
      // a place at the end belongs to the text that is about to be appended
      if let subject = subjects[texts.count] { moved[subject] = kept.count }
      (texts, places) = (kept, moved)
    }
  }

  /// The caller as it was when it connected. Its access class may have changed since: `access` is the present one.
  package let caller: Peer
  /// The resources of the server that the caller's user holds, or nil if they are not counted.
  package let quota: PeerQuota?
  /// The most bytes that the server holds for a user: unfinished texts, and data that methods keep.
  package var heldBytesLimit: Int { heldBytes.load(ordering: .relaxed) }
  private let languages: ReloadableLanguages
  private let heldBytes: Atomic<Int>
  /// The rank of the caller's present access class.
  private let rank: Atomic<Int>
  private let state = Mutex(State())
  /// Whether notifications wait. Read after every request, so it must not need the lock.
  private let hasTexts = Atomic<Bool>(false)

  /// - Parameter languages: The languages that the server speaks.
  package init(
    caller: Peer, quota: PeerQuota? = nil, heldBytesLimit: Int = .max,
    languages: ReloadableLanguages = ReloadableLanguages(.english)
  ) {
    self.caller = caller
    self.languages = languages
    self.quota = quota
    heldBytes = Atomic(heldBytesLimit)
    rank = Atomic(caller.access.rank)
  }

  /// The highest class of methods that the caller may call now.
  @inline(__always)
  package var access: Access {
    switch rank.load(ordering: .relaxed) {
    case Access.admin.rank: .admin
    case Access.observe.rank: .observe
    default: .open
    }
  }

  /// Gives the caller another access class, and the session another limit of held bytes.
  package func adopt(access: Access, heldBytesLimit: Int) {
    rank.store(access.rank, ordering: .relaxed)
    heldBytes.store(heldBytesLimit, ordering: .relaxed)
  }

  // MARK: Languages

  /// The list of languages that the caller last set with `rpc.language`, or nil if it set no list. The server may support
  /// none of them.
  package var ranges: String? {
    get { state.withLock { $0.ranges } }
    set { state.withLock { $0.ranges = newValue } }
  }

  /// The language of a message that regd writes now.
  ///
  /// - Parameters:
  ///   - asked: The languages that the request or the form asked for. They come first, then `known`, then the
  ///     connection's `ranges`, then the operator's choice. Languages that the server has not supported since the last
  ///     reload do not count.
  ///   - known: The person's languages from an earlier request, for example from the one for which regd mailed a code.
  package func language(for asked: String? = nil, or known: String? = nil) -> Language {
    let languages = languages.current
    return languages.language(for: asked) ?? languages.language(for: known) ?? languages.language(for: ranges)
      ?? languages.standard
  }

  /// The list of languages for a mail that regd may write later, because of a request: the request's list `asked`. If
  /// that is nil, or the server supports none of its languages, the result is the connection's list, if the connection
  /// has set one.
  package func ranges(for asked: String?) -> String? {
    guard let asked else { return ranges }
    return languages.current.language(for: asked) == nil ? ranges ?? asked : asked
  }

  /// The list `asked`, or nil if the server supports none of its languages.
  package func known(_ asked: String?) -> String? { languages.current.language(for: asked) == nil ? nil : asked }

  // MARK: For methods

  /// Sends a notification, unless the connection has closed.
  ///
  /// - Parameters:
  ///   - subject: The subject whose state the params report, if only the last state matters. A waiting notification
  ///     with the same subject is then dropped.
  ///   - limit: Nothing is sent if this many bytes of notifications are already waiting.
  ///   - params: Writes the params, one value.
  /// - Returns: Whether the notification will be sent.
  @discardableResult
  package func notify(
    _ method: StaticString, stateOf subject: Int? = nil, unlessWaiting limit: Int = .max,
    _ params: (inout JSONWriter) -> Void
  ) -> Bool {
    send(Self.text(method, params), stateOf: subject, unlessWaiting: limit)
  }

  /// Sends a notification that `text` has encoded, which may be the same one for many sessions.
  ///
  /// - Returns: Whether the notification will be sent.
  @discardableResult
  package func send(_ text: [UInt8], stateOf subject: Int? = nil, unlessWaiting limit: Int = .max) -> Bool {
    let (isTaken, wake): (Bool, (@Sendable () -> Void)?) = state.withLock { state in
      guard !state.isOver, state.bytes < limit else { return (false, nil) }
      // wakes the connection for the first waiting text only
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

  /// Sends notifications that `text` has encoded, in order, until `limit` bytes of notifications are waiting.
  ///
  /// - Returns: How many of them will be sent.
  package func send(all texts: [[UInt8]], unlessWaiting limit: Int) -> Int {
    guard !texts.isEmpty else { return 0 }
    let (count, wake): (Int, (@Sendable () -> Void)?) = state.withLock { state in
      guard !state.isOver else { return (0, nil) }
      let isFirst = state.texts.isEmpty
      var count = 0
      while count < texts.count, state.bytes < limit {
        state.bytes += texts[count].count
        state.texts.append(texts[count])
        count += 1
      }
      // wakes the connection for the first waiting text only
      return (count, isFirst && count > 0 ? state.wake : nil)
    }
    if count > 0 { hasTexts.store(true, ordering: .releasing) }
    wake?()
    return count
  }

  /// Calls `body` after the next reply to a request that takes time, mostly so that `body` sends the state of that moment.
  package func afterReply(_ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if !state.isOver { state.afterReply.append(body) }
    }
  }

  /// The connection's object of the type `Kind`, which the first call makes, and which is released when the connection ends.
  package func attachment<Kind: AnyObject & Sendable>(_ make: () -> Kind) -> Kind {
    let key = ObjectIdentifier(Kind.self)
    if let kept = existing(Kind.self) { return kept }
    let made = make()
    return state.withLock { state in
      if let kept = state.attachments[key] as? Kind { return kept }
      // a closed connection keeps nothing
      if !state.isOver { state.attachments[key] = made }
      return made
    }
  }

  package func existing<Kind: AnyObject & Sendable>(_ kind: Kind.Type) -> Kind? {
    state.withLock { $0.attachments[ObjectIdentifier(kind)] as? Kind }
  }

  /// Releases the object that `attachment` made.
  package func detach<Kind: AnyObject & Sendable>(_ kind: Kind.Type) {
    // released outside the lock, because the object's deinit may call this session
    let kept = state.withLock { $0.attachments.removeValue(forKey: ObjectIdentifier(kind)) }
    withExtendedLifetime(kept) {}
  }

  /// - Parameter taken: Called once the connection has taken the waiting notifications. It runs on the event loop, so it must not
  ///   block.
  package func whenTaken(_ taken: (@Sendable () -> Void)?) { state.withLock { $0.taken = taken } }

  // MARK: For the conversation

  /// - Parameter wake: Called on any thread when a notification begins to wait while no other waits.
  package func whenWaiting(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  @inline(__always)
  var isWaiting: Bool { hasTexts.load(ordering: .acquiring) }

  /// Bytes of notifications that wait to be taken.
  package var waitingBytes: Int { isWaiting ? state.withLock { $0.bytes } : 0 }

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

  /// Calls the closures that `afterReply` was given.
  func hasReplied() {
    let bodies = state.withLock { state in
      defer { state.afterReply = [] }
      return state.afterReply
    }
    for body in bodies { body() }
  }

  /// Releases everything, because the connection has closed.
  func end() {
    let kept = state.withLock { state in
      let kept = state.attachments
      state = State()
      state.isOver = true
      return kept
    }
    // released outside the lock, because their deinits may call this session
    withExtendedLifetime(kept) {}
  }

  /// Encodes a notification.
  package static func text(_ method: StaticString, _ params: (inout JSONWriter) -> Void) -> [UInt8] {
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
