internal import Synchronization

/// Remembers refused sign-ins for two seconds. A program that repeats a sign-in to find out the kind of refusal gets
/// the same answer without a hash, a count or a wait. A PAM stack (`regctl pam`) repeats sign-ins for this purpose,
/// because it reduces a command's exit status to one code.
///
/// The caller reads the account again, and an entry is valid only while the account has the same hash, state and groups. An
/// entry keeps only 64 bits of a hash of uid, origin, address, required groups and password, under a key of this process that
/// is never written down.
final class RecentRefusals: Sendable {
  /// How long a refusal is remembered, in milliseconds.
  private static let memory: Int64 = 2000
  private static let mostRemembered = 32_768

  /// A refusal, with a hash of the account's state at that time.
  private struct Entry: BitwiseCopyable {
    /// When the entry expires, in milliseconds of `clock`.
    let end: Int64
    let account: UInt64
    let isWrong: Bool
  }

  private let table = Mutex(RecentTable<UInt64, Entry>(capacity: mostRemembered))
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

  private var now: Int64 {
    let (seconds, attoseconds) = clock().components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// - Parameters:
  ///   - account: The key of an address, or the typed text if it is not an address.
  ///   - found: The account with that address, or nil if there is no account.
  func note(
    _ refusal: SignInRefusal, to share: Share, at account: String, _ password: Password,
    requiring groups: GroupRequirement = GroupRequirement(), of found: StoredAccount?
  ) {
    let entry = Entry(end: now + Self.memory, account: print(of: found), isWrong: refusal == .rejected)
    let key = key(share, account, password, groups)
    table.withLock { $0[key] = entry }
  }

  /// Whether an equal sign-in was refused a moment ago, so that it is worth reading the account.
  func mayKnow(
    _ share: Share, at account: String, _ password: Password, requiring groups: GroupRequirement = GroupRequirement()
  ) -> Bool {
    entry(share, account, password, groups) != nil
  }

  /// - Parameter found: The account as it is now, or nil if there is no account.
  /// - Returns: The refusal, or nil if there was no refusal, or if the account has changed since.
  func outcome(
    _ share: Share, at account: String, _ password: Password, requiring groups: GroupRequirement = GroupRequirement(),
    of found: StoredAccount?
  ) -> SignInOutcome? {
    guard let entry = entry(share, account, password, groups), entry.account == print(of: found) else { return nil }
    if entry.isWrong { return .refused(.rejected) }
    return found.map { SignInOutcome(toOwnerOf: $0.account).requiring(groups) }
  }

  private func entry(
    _ share: Share, _ account: String, _ password: Password, _ groups: GroupRequirement
  ) -> Entry? {
    let (key, now) = (key(share, account, password, groups), now)
    return table.withLock { table in table[key].flatMap { $0.end > now ? $0 : nil } }
  }

  private func key(
    _ share: Share, _ account: String, _ password: Password, _ groups: GroupRequirement
  ) -> UInt64 {
    // no address and no group name contains a NUL
    var (origin, account) = (share.origin?.text ?? "", "\(account)\0\(groups.text)")
    let ofOrigin = origin.withUTF8 {
      prints.hash(UnsafeRawBufferPointer($0), after: UInt64(share.uid ?? .max) << 1 | (share.origin == nil ? 0 : 1))
    }
    let ofAccount = account.withUTF8 { prints.hash(UnsafeRawBufferPointer($0), after: ofOrigin) }
    return password.print(prints, after: ofAccount)
  }

  private func print(of found: StoredAccount?) -> UInt64 {
    var text =
      found.map {
        "\($0.account.id) \($0.account.state.rawValue) \($0.passwordHash.phc) \($0.account.groups.stored ?? "")"
      } ?? ""
    return text.withUTF8 { prints.hash(UnsafeRawBufferPointer($0)) }
  }
}
