import AddressNormalization
import Localization
import PasswordHashing
import Synchronization
import TestDoubles
import Testing

@testable import Registration

/// One regd's mail queue over a store that other processes may share, with a mail system and a clock that all of them
/// use.
final class MailScene: Sendable {
  let clock: MailClock
  let store: Accounts
  let system: StagedMail
  let queue: MailQueue
  let codes: ClaimCodes
  private let reports: Reports
  /// How long mails that go to no mail system have waited.
  let rests: Rests

  final class Rests: Sendable {
    let all = Mutex<[Duration]>([])
  }

  private final class Reports: Sendable {
    let all = Mutex<[MailQueue.Report]>([])
  }

  /// Pauses do not end by themselves within a test, unless the test sets other pauses.
  init(
    _ store: (any StoreUnderTest)? = nil, clock: MailClock = MailClock(), system: StagedMail = StagedMail(),
    hasSystem: Bool = true, settings: DeliverySettings = .init(firstPause: .seconds(2), maximumPause: .seconds(300)),
    languages: ReloadableLanguages = ReloadableLanguages(.english)
  ) {
    let store = (store ?? MemoryStore(now: { clock.now })).accounts
    let (reports, rests) = (Reports(), Rests())
    (self.clock, self.store, self.system, self.reports) = (clock, store, system, reports)
    self.rests = rests
    codes = ClaimCodes(SodiumCodeHashing()) { store.codeKey }
    queue = MailQueue(
      store, codes, time: StagedTime(clock: clock),
      .init(service: hasSystem ? system : nil, from: "regd@example.com", settings: settings),
      languages: languages, lines: UnicodeLineBreaker(),
      rest: { pause in rests.all.withLock { $0.append(pause) } },
      observer: { report in reports.all.withLock { $0.append(report) } })
  }

  /// The wall clock that belongs to the scene's clock.
  struct StagedTime: TimeSource {
    let clock: MailClock
    func now() -> Timestamp { Fixtures.time.advanced(by: clock.passed) }
  }

  var now: Timestamp { Fixtures.time.advanced(by: clock.passed) }

  var told: [MailQueue.Report] { reports.all.withLock { $0 } }

  @discardableResult
  func round() async -> Duration { await queue.round { [clock] in clock.now } }

  static func address(_ text: String) -> EmailAddress { EmailAddress(stored: text, key: EmailKey(text)) }

  /// Adds a mail to the store, with a claim if its kind has one. The queue learns of the mail only when it reads the
  /// store.
  @discardableResult
  func want(
    _ kind: MailKind, to address: String = "name@example.com", uid: UInt32 = 7, origin: String? = nil,
    isWanted: Bool = true, isKnown: Bool = false, language: String? = nil, life: Duration = .seconds(86_400),
    code: Duration = .seconds(900)
  ) async throws -> MailIntent {
    let claim = kind.isCode ? claim(kind, address, uid, life, code) : nil
    let mail = MailIntent(
      id: MailID(at: now), kind: kind, to: Self.address(address), claim: claim?.id, account: nil, language: language,
      uid: uid, origin: origin.flatMap(Origin.init), createdAt: now, isWanted: isWanted,
      isKnown: isKnown, isProven: true)
    if let claim { _ = try await store.add(claim, mail, Stamp(now)) } else { try await store.add(mail) }
    return mail
  }

  private func claim(
    _ kind: MailKind, _ address: String, _ uid: UInt32, _ life: Duration, _ code: Duration
  ) -> AddressClaim {
    AddressClaim(
      id: ClaimID(), kind: kind == .recoveryCode ? .recovery : kind == .changeCode ? .changeOfEmail : .registration,
      email: Self.address(address), account: AccountID(at: now), passwordHash: nil, uid: uid, origin: nil, request: nil,
      language: nil, createdAt: now, expiresAt: now.advanced(by: life), digits: 6, state: .open,
      codeUntil: now.advanced(by: code), resendAt: now)
  }

  func claim(of mail: MailIntent) async throws -> AddressClaim? {
    guard let id = mail.claim else { return nil }
    return try await store.find(id, at: now)
  }

  /// The code in a mail.
  static func code(in mail: Mail?) throws -> String {
    let lines = try #require(mail).body.split(separator: "\n")
    return try #require(lines.lazy.compactMap { ClaimCodes.digits(of: String($0), 6) }.first)
  }

  func state(of mail: MailIntent) async throws -> StoredMail.State? { try await store.find(mail: mail.id)?.state }

  func waiting() async throws -> [MailQueue.Waiting] {
    try await queue.list(after: nil, limit: 1000) { [clock] in clock.now }.elements
  }
}

/// The clock of a test. It begins after the start of every queue that the test makes, so that a queue's work at its
/// start is due.
final class MailClock: Sendable {
  private let start = ContinuousClock.now + .seconds(3600)
  private let time = Mutex(Duration.zero)

  var passed: Duration { time.withLock { $0 } }
  var now: ContinuousClock.Instant { start + passed }

  func pass(_ more: Duration) { time.withLock { $0 += more } }
}
