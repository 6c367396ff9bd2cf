/// The AUTHs (logins) of one connection that have no answer yet.
struct DovecotExchanges {
  /// An AUTH that waits for its caller's next response.
  struct Waiting {
    /// The AUTH's number on its connection, from 1.
    let number: Int
    let step: DovecotMechanism.Step
    let origin: [UInt8]

    /// Bytes of the caller's text that regd holds for this AUTH.
    fileprivate var heldBytes: Int {
      switch step {
      case .credentials, .name: origin.count
      case .password(let name): origin.count + name.count
      }
    }
  }

  /// An AUTH that waits for its verdict.
  struct Asked {
    let id: UInt32
    let login: [UInt8]
  }

  /// The most AUTHs that may wait for a response, and the most bytes held for them, because clients may begin logins
  /// and never continue them.
  static let mostWaiting = 64
  private static let mostHeldBytes = 16_384

  private var waiting: [UInt32: Waiting] = [:]
  private var heldBytes = 0
  private var asked: [Int: Asked] = [:]
  /// The numbers of the AUTHs in `asked`, by their IDs.
  private var numbers: [UInt32: Int] = [:]
  private var begun = 0
  /// Whether the connection has had two AUTHs at once, which shows that it serves several users.
  ///
  /// An AUTH that waits for a response counts only once its caller continues or cancels it after a later AUTH has
  /// begun: Postfix serves one client at a time, but silently drops an AUTH when its client leaves halfway. Without a
  /// verdict, a shared connection gets a `FAIL`, which Postfix reports as "wrong". Any other connection is closed.
  private(set) var isShared = false

  /// Begins an AUTH.
  ///
  /// - Returns: Its number, or nil if an AUTH with this ID is in flight.
  mutating func begin(_ id: UInt32) -> Int? {
    guard waiting[id] == nil, numbers[id] == nil else { return nil }
    if !asked.isEmpty { isShared = true }
    begun += 1
    return begun
  }

  /// Keeps an AUTH until its caller's next response.
  ///
  /// - Returns: The IDs of the oldest AUTHs, which are given up because too many wait.
  mutating func wait(_ id: UInt32, _ exchange: Waiting) -> [UInt32] {
    waiting[id] = exchange
    heldBytes += exchange.heldBytes
    var dropped: [UInt32] = []
    while waiting.count > Self.mostWaiting || heldBytes > Self.mostHeldBytes,
      let oldest = waiting.filter({ $0.key != id }).min(by: { $0.value.number < $1.value.number })
    {
      remove(oldest.key)
      dropped.append(oldest.key)
    }
    return dropped
  }

  /// Continues an AUTH.
  ///
  /// - Returns: Nil if no AUTH with this ID waits for a response.
  mutating func resume(_ id: UInt32) -> Waiting? {
    guard let exchange = remove(id) else { return nil }
    if exchange.number < begun { isShared = true }
    return exchange
  }

  mutating func ask(_ number: Int, _ exchange: Asked) {
    asked[number] = exchange
    numbers[exchange.id] = number
  }

  /// Ends an AUTH that has its verdict.
  ///
  /// - Returns: Nil if the AUTH was cancelled.
  mutating func answer(_ number: Int) -> Asked? {
    guard let exchange = asked.removeValue(forKey: number) else { return nil }
    numbers[exchange.id] = nil
    return exchange
  }

  mutating func cancel(_ id: UInt32) {
    _ = resume(id)
    if let number = numbers.removeValue(forKey: id) { asked[number] = nil }
  }

  @discardableResult
  private mutating func remove(_ id: UInt32) -> Waiting? {
    guard let exchange = waiting.removeValue(forKey: id) else { return nil }
    heldBytes -= exchange.heldBytes
    return exchange
  }
}
