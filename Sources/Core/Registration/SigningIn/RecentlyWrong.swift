internal import Synchronization

/// Passwords that were wrong a moment ago and are wrong still: a repeat costs no second hash.
///
/// Of each 64 bits are kept, under a key that is this process's own and is never written down, and for five minutes at
/// most, so that little is to be had from memory. They stand for the hash too that it was compared with: when the account
/// gets another password, it is compared anew.
final class RecentlyWrong: Sendable {
  /// Milliseconds.
  private static let memory: Int64 = 300_000

  private static let mostRemembered = 32_768

  private let table = Mutex(RecentTable<UInt64, Int64>(capacity: mostRemembered))
  private let prints: SipHash
  private let clock: @Sendable () -> Duration

  convenience init() {
    let start = ContinuousClock.now
    self.init { start.duration(to: .now) }
  }

  /// - Parameter clock: The time since any moment that stays the same.
  init(clock: @escaping @Sendable () -> Duration) {
    var generator = SystemRandomNumberGenerator()
    prints = SipHash(using: &generator)
    self.clock = clock
  }

  /// - Parameters:
  ///   - account: The key of an address, or what was typed where it is none.
  ///   - hash: What the password was compared with; nil where there was nothing.
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
    return password.withBytes { prints.hash($0, after: ofBoth) }
  }
}
