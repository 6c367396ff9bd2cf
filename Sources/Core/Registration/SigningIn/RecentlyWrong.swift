internal import Synchronization

/// Remembers passwords that were wrong a moment ago, so that a repeat costs no second hash.
///
/// Keeps only 64 bits of a keyed hash of each, for at most five minutes, under a key of this process that is never
/// written down. The bits also depend on the stored hash with which the password was compared, so old entries no longer
/// match once the account gets another password.
final class RecentlyWrong: Sendable {
  /// How long a wrong password is remembered, in milliseconds.
  private static let memory: Int64 = 300_000

  private static let mostRemembered = 32_768

  private let table = Mutex(RecentTable<UInt64, Int64>(capacity: mostRemembered))
  private let prints: SipHash
  private let clock: @Sendable () -> Duration

  convenience init() {
    let start = ContinuousClock.now
    self.init { start.duration(to: .now) }
  }

  /// - Parameter clock: The time since a fixed moment.
  init(clock: @escaping @Sendable () -> Duration) {
    var generator = SystemRandomNumberGenerator()
    prints = SipHash(using: &generator)
    self.clock = clock
  }

  /// - Parameters:
  ///   - account: The key of an address, or the typed text if it is not an address.
  ///   - hash: The hash with which the password was compared, or nil if there was no hash.
  func note(_ account: String, _ password: Password, _ hash: PasswordHash?) {
    let (print, now) = (print(account, password, hash), now)
    table.withLock { $0[print] = now }
  }

  func contains(_ account: String, _ password: Password, _ hash: PasswordHash?) -> Bool {
    let (print, now) = (print(account, password, hash), now)
    return table.withLock { $0[print].map { now - $0 < Self.memory } ?? false }
  }

  private var now: Int64 {
    let (seconds, attoseconds) = clock().components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  private func print(_ account: String, _ password: Password, _ hash: PasswordHash?) -> UInt64 {
    var (account, phc) = (account, hash?.phc ?? "")
    let ofAccount = account.withUTF8 { prints.hash(UnsafeRawBufferPointer($0)) }
    let ofBoth = phc.withUTF8 { prints.hash(UnsafeRawBufferPointer($0), after: ofAccount) }
    return password.print(prints, after: ofBoth)
  }
}
