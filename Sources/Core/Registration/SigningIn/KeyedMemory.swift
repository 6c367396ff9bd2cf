internal import Synchronization

/// Remembers attempts with typed passwords for a while, so that a repeat costs no second hash. Keeps no passwords.
///
/// An entry is 64 bits of a keyed hash of the attempt, and a mark of 64 bits. The key of the hashes belongs to this
/// process and is never written down.
final class KeyedMemory: Sendable {
  private static let mostRemembered = 32_768

  private struct Entry: BitwiseCopyable {
    /// When the entry expires, in milliseconds of `clock`.
    let end: Int64
    let mark: UInt64
  }

  private let table = Mutex(RecentTable<UInt64, Entry>(capacity: mostRemembered))
  private let prints: SipHash
  /// How long an entry is remembered, in milliseconds.
  private let lasting: Int64
  private let clock: @Sendable () -> Duration

  convenience init(milliseconds: Int64) {
    let start = ContinuousClock.now
    self.init(milliseconds: milliseconds) { start.duration(to: .now) }
  }

  /// - Parameters:
  ///   - lasting: How long an entry is remembered.
  ///   - clock: The time since a fixed moment.
  init(milliseconds lasting: Int64, clock: @escaping @Sendable () -> Duration) {
    var generator = SystemRandomNumberGenerator()
    prints = SipHash(using: &generator)
    (self.lasting, self.clock) = (lasting, clock)
  }

  /// The mark of an attempt, or nil if the attempt was never noted, or too long ago.
  subscript(key: UInt64) -> UInt64? {
    let now = now
    return table.withLock { table in table[key].flatMap { $0.end > now ? $0.mark : nil } }
  }

  func note(_ key: UInt64, mark: UInt64 = 0) {
    let entry = Entry(end: now + lasting, mark: mark)
    table.withLock { $0[key] = entry }
  }

  /// The key of an attempt's entry. Equal attempts have the same password, texts and number.
  func key(_ password: Password, _ texts: [String], _ number: UInt64 = 0) -> UInt64 {
    password.print(prints, after: texts.reduce(number) { print($1, after: $0) })
  }

  /// A keyed hash of a text.
  func print(_ text: String, after number: UInt64) -> UInt64 {
    var text = text
    return text.withUTF8 { prints.hash(UnsafeRawBufferPointer($0), after: number) }
  }

  private var now: Int64 {
    let (seconds, attoseconds) = clock().components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
