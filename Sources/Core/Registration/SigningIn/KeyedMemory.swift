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

/// Keeps the values that were written last, at most `capacity`, in a young and an old table.
///
/// Writes go to the young table. When it has half of the capacity, it becomes the old table, and the previous old table
/// is released. So the values that were written last, half of the capacity, are always present. Values are plain bits,
/// so that releasing a table visits no value.
struct RecentTable<Key: Hashable & Sendable, Value: BitwiseCopyable & Sendable>: Sendable {
  private let half: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  /// - Parameter capacity: At least 2.
  init(capacity: Int) { half = max(1, capacity / 2) }

  /// The value, or nil if the key was never set, or is gone. Setting a value keeps it for longer.
  subscript(key: Key) -> Value? {
    get { young[key] ?? old[key] }
    set {
      old[key] = nil
      young[key] = newValue
      guard young.count >= half else { return }
      old = young
      young = [:]
    }
  }

  var count: Int { young.count + old.count }
}

/// Remembers refused sign-ins for two seconds. A program that repeats a sign-in to find out the kind of refusal gets
/// the same answer without a hash, a count or a wait. A PAM stack (`regctl pam`) repeats sign-ins for this purpose,
/// because it reduces a command's exit status to one code.
///
/// The caller reads the account again, and an entry is valid only while the account has the same hash, state and groups. An
/// entry keeps only 64 bits of a hash of uid, origin, address, required groups and password.
struct RecentRefusals: Sendable {
  /// The mark of an entry is a hash of the account's state at that time, and of whether the password was wrong.
  private let memory: KeyedMemory

  init(_ memory: KeyedMemory = KeyedMemory(milliseconds: 2000)) { self.memory = memory }

  /// - Parameters:
  ///   - account: The key of an address, or the typed text if it is not an address.
  ///   - found: The account with that address, or nil if there is no account.
  func note(
    _ refusal: SignInRefusal, to share: Share, at account: String, _ password: Password,
    requiring groups: GroupRequirement = GroupRequirement(), of found: StoredAccount?
  ) {
    memory.note(key(share, account, password, groups), mark: mark(of: found, isWrong: refusal == .rejected))
  }

  /// Whether an equal sign-in was refused a moment ago, so that it is worth reading the account.
  func mayKnow(
    _ share: Share, at account: String, _ password: Password, requiring groups: GroupRequirement = GroupRequirement()
  ) -> Bool {
    memory[key(share, account, password, groups)] != nil
  }

  /// - Parameter found: The account as it is now, or nil if there is no account.
  /// - Returns: The refusal, or nil if there was no refusal, or if the account has changed since.
  func outcome(
    _ share: Share, at account: String, _ password: Password, requiring groups: GroupRequirement = GroupRequirement(),
    of found: StoredAccount?
  ) -> SignInOutcome? {
    guard let mark = memory[key(share, account, password, groups)] else { return nil }
    if mark == self.mark(of: found, isWrong: true) { return .refused(.rejected) }
    guard mark == self.mark(of: found, isWrong: false) else { return nil }
    return found.map { SignInOutcome(toOwnerOf: $0.account).requiring(groups) }
  }

  private func key(
    _ share: Share, _ account: String, _ password: Password, _ groups: GroupRequirement
  ) -> UInt64 {
    memory.key(
      password, [share.origin?.text ?? "", account, groups.text],
      UInt64(share.uid ?? .max) << 1 | (share.origin == nil ? 0 : 1))
  }

  private func mark(of found: StoredAccount?, isWrong: Bool) -> UInt64 {
    let text = found.map {
      "\($0.account.id) \($0.account.state.rawValue) \($0.passwordHash.phc) \($0.account.groups.stored ?? "")"
    }
    return memory.print(text ?? "", after: isWrong ? 1 : 0)
  }
}
