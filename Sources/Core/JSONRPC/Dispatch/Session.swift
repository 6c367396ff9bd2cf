package import Sentences
import Synchronization

/// The connection that a request came on, as its method sees it: the caller, objects that methods keep for the connection,
/// and notifications to the caller (JSON-RPC 2.0 §4.1).
package final class Session: Sendable {
  private struct State {
    /// Notifications that wait to be sent; empty where a later one has replaced it.
    var texts: [[UInt8]] = []
    /// The places of those that tell a state, by subject.
    var places: [Int: Int] = [:]
    var bytes = 0
    /// To be called behind the next reply to a request that takes time.
    var afterReply: [@Sendable () -> Void] = []
    var attachments: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    var wake: (@Sendable () -> Void)?
    var taken: (@Sendable () -> Void)?
    var isOver = false
    /// Of `rpc.language`.
    var ranges: String?

    /// Makes way for the next text, which tells the state of `subject`: an earlier text about it is emptied. The newer
    /// state stands behind everything that happened in between.
    mutating func replace(_ subject: Int) {
      if let place = places[subject] {
        bytes -= texts[place].count
        texts[place] = []
      }
      places[subject] = texts.count
      // at most half of all are empty
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

  /// As it connected; `access` is what it may do now.
  package let caller: Caller
  /// What the caller's user takes of the server; nil if it is not counted.
  package let usage: PeerUsage?
  /// Bytes that a user may have the server hold: of texts that have not ended, and of what methods keep.
  package var heldBytesLimit: Int { heldBytes.load(ordering: .relaxed) }
  private let languages: LiveLanguages
  private let heldBytes: Atomic<Int>
  /// The rank of its class.
  private let rank: Atomic<Int>
  private let state = Mutex(State())
  /// Read behind every text; the lock would cost too much for that.
  private let hasTexts = Atomic<Bool>(false)

  /// - Parameter languages: Those that there are.
  package init(
    caller: Caller, usage: PeerUsage? = nil, heldBytesLimit: Int = .max,
    languages: LiveLanguages = LiveLanguages(.english)
  ) {
    self.caller = caller
    self.languages = languages
    self.usage = usage
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

  /// Goes on with other rights and another limit of held bytes.
  package func adopt(access: Access, heldBytesLimit: Int) {
    rank.store(access.rank, ordering: .relaxed)
    heldBytes.store(heldBytesLimit, ordering: .relaxed)
  }

  // MARK: Languages

  /// What `rpc.language` has said last: a list of languages, perhaps of none that there is; nil for none.
  package var ranges: String? {
    get { state.withLock { $0.ranges } }
    set { state.withLock { $0.ranges = newValue } }
  }

  /// The language of what is said now.
  ///
  /// - Parameters:
  ///   - asked: What the request or the form has asked for. It is looked up first, then what the connection has, then there is
  ///   the operator's choice. Of all three what a reload has left counts.
  ///   - known: What is known of the person otherwise; after what was asked for.
  package func language(for asked: String? = nil, or known: String? = nil) -> Language {
    let languages = languages.current
    return languages.language(for: asked) ?? languages.language(for: known) ?? languages.language(for: ranges)
      ?? languages.standard
  }

  /// What a mail that follows from a request is written by, whenever it is: what the request has asked for, unless that is a
  /// language that there is not, while the connection has asked for another.
  package func ranges(for asked: String?) -> String? {
    guard let asked else { return ranges }
    return languages.current.language(for: asked) == nil ? ranges ?? asked : asked
  }

  /// The language that was asked for, if there is such a one.
  package func known(_ asked: String?) -> String? { languages.current.language(for: asked) == nil ? nil : asked }

  // MARK: For methods

  /// Has a notification sent, unless the connection has closed.
  ///
  /// - Parameters:
  ///   - subject: What the params tell the state of, if only its last state counts: a notification that still waits with
  ///     the same subject is dropped.
  ///   - limit: Bytes of waiting notifications from which on this one is not sent.
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
      // the first text that waits wakes the connection
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

  /// Calls `body` behind the next reply to a request that takes time: mostly to send a state that would be outdated if it
  /// were written now.
  package func afterReply(_ body: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if !state.isOver { state.afterReply.append(body) }
    }
  }

  /// The connection's object of a type: made with the first call, released when the connection ends.
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

  /// Releases the object that `attachment` has made.
  package func detach<Kind: AnyObject & Sendable>(_ kind: Kind.Type) {
    // its deinit runs outside the lock: it may call this session
    let kept = state.withLock { $0.attachments.removeValue(forKey: ObjectIdentifier(kind)) }
    withExtendedLifetime(kept) {}
  }

  /// - Parameter taken: Called when what waited has been taken; on the event loop, so it may not block.
  package func whenTaken(_ taken: (@Sendable () -> Void)?) { state.withLock { $0.taken = taken } }

  // MARK: For the conversation

  /// - Parameter wake: Called when the first notification waits; on any thread.
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

  /// Calls what `afterReply` was given.
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
    // their deinits run outside the lock: they may call this session
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
