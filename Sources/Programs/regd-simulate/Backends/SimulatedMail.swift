internal import CSimulation
internal import MailComposition
internal import Registration
internal import Synchronization

/// The mail system as regd's port sees it, and all mailboxes. It exists longer than each process of regd.
final class SimulatedMail: Sendable {
  enum Condition: CaseIterable, Sendable { case works, offline, defers, refuses, slow, loses, mixed }

  /// A mail as regd has handed it over.
  struct Letter: Sendable {
    let id: String
    let kind: MailKind
    /// The address's key.
    let to: String
    /// When regd created it, in microseconds of the wall clock.
    let wanted: Int64
    let code: String?
    /// The headers that must be the same in each try of the mail.
    let identity: [String]
    /// When it arrived, in simulated time.
    let came: Int64
  }

  /// The final outcome of a mail.
  struct Ending: Sendable {
    let isTaken: Bool
    let life: Int
    let time = simulated_now()
    /// Whether an administrator has seen, after this outcome, that the mail no longer waits.
    var isSettled = false
  }

  struct State {
    var chance: Chance
    var condition = Condition.works
    var life = 1
    /// All tries, including lost ones.
    var tries: [Letter] = []
    /// The tries that reached a mailbox.
    var letters: [Letter] = []
    var endings: [String: Ending] = [:]
    var inFlight: [String] = []
    /// Codes that regd showed to an administrator instead of mailing them.
    var told: [String] = []
    var met: [Fault] = []
    var findings: [(Promise, isKept: Bool, detail: String)] = []
  }

  let state: Mutex<State>
  private let terms: Terms

  init(seed: UInt64, _ terms: Terms) {
    state = Mutex(State(chance: Chance(seed: seed, purpose: 8)))
    self.terms = terms
  }

  func set(_ condition: Condition) { state.withLock { $0.condition = condition } }

  /// Ends all tries in progress, because regd was killed, and begins the next process's life.
  func beginLife(_ number: Int) { state.withLock { ($0.life, $0.inFlight) = (number, []) } }

  func takeMet() -> ([Fault], [(Promise, isKept: Bool, detail: String)]) {
    state.withLock { state in
      defer { (state.met, state.findings) = ([], []) }
      return (state.met, state.findings)
    }
  }

  /// Whether a text contains a code that is too long to be there by chance.
  func isTold(in text: String) -> Bool {
    state.withLock { state in
      (state.told + state.letters.compactMap(\.code)).contains { $0.utf8.count >= 10 && text.contains($0) }
    }
  }

  /// Mails that were accepted, or refused for good, since regd's last start, long enough ago that regd has noted it.
  var endedInThisLife: [(id: String, isTaken: Bool)] {
    let latest = simulated_now() - Int64(terms.requestSeconds) * 1_000_000_000
    return state.withLock { state in
      state.endings.filter { !$1.isSettled && $1.life == state.life && $1.time < latest }.map { ($0, $1.isTaken) }
        .sorted { $0.0 < $1.0 }
    }
  }

  /// Marks the endings of all mails that no longer wait, as an administrator sees it.
  func settle(waiting: Set<String>) {
    state.withLock { state in
      for id in state.endings.keys where !waiting.contains(id) { state.endings[id]?.isSettled = true }
    }
  }
}

extension SimulatedMail.State {
  struct Outcome {
    var failure: MailFailure?
    /// Whether the mail reaches the mailbox, whatever answer regd gets.
    let arrives: Bool
  }

  /// Decides the outcome of a try, and how long it takes.
  mutating func judge(_ letter: SimulatedMail.Letter) -> (Outcome, Int64) {
    hold(letter)
    tries.append(letter)
    inFlight.append(letter.to)
    var time = Int64(chance.below(50_000_000))
    let fault = fault()
    if fault == .mailSlow { time += Int64(chance.below(4_500_000_000)) }
    let outcome: Outcome =
      switch fault {
      case .mailOffline: Outcome(failure: .offline, arrives: false)
      case .mailDeferred: Outcome(failure: .deferred("451 4.7.1 later"), arrives: false)
      case .mailRefused: Outcome(failure: .refused("550 5.1.1 nobody"), arrives: false)
      case .mailCut: Outcome(failure: .lost, arrives: false)
      case .mailLost: Outcome(failure: .lost, arrives: true)
      case .mailTimeout: Outcome(failure: .timeout, arrives: false)
      default: Outcome(failure: nil, arrives: true)
      }
    if outcome.arrives { letters.append(letter) }
    return (outcome, time)
  }

  mutating func end(_ letter: SimulatedMail.Letter, _ failure: MailFailure?) {
    if let place = inFlight.firstIndex(of: letter.to) { inFlight.remove(at: place) }
    let isFinal = if case .refused? = failure { true } else { failure == nil }
    if isFinal { endings[letter.id] = .init(isTaken: failure == nil, life: life) }
  }

  /// Checks a try against the tries before it.
  private mutating func hold(_ letter: SimulatedMail.Letter) {
    if let ending = endings[letter.id] {
      findings.append(
        (
          ending.isTaken ? .mailOnce : .mailFinal, !ending.isSettled && ending.life != life,
          "\(letter.id) to \(letter.to) again, after it was \(ending.isTaken ? "taken" : "refused") for good"
        ))
    }
    if let before = tries.first(where: { $0.id == letter.id }) {
      findings.append(
        (.messageId, before.identity == letter.identity, "\(before.identity), and then \(letter.identity)"))
    }
    findings.append(
      (
        .mailTurns, !inFlight.contains(letter.to) && inFlight.count < 4,
        "a mail to \(letter.to) while mails to \(inFlight) are under way"
      ))
  }

  private mutating func fault() -> Fault? {
    let all: [Fault]
    switch condition {
    case .works: return nil
    case .offline: all = [.mailOffline]
    case .defers: all = [.mailDeferred]
    case .refuses:
      guard chance.once(in: 2) else { return nil }
      all = [.mailRefused]
    case .slow: all = [.mailSlow]
    case .loses: all = [.mailLost, .mailCut]
    case .mixed:
      guard chance.once(in: 2) else { return nil }
      all = [.mailOffline, .mailDeferred, .mailRefused, .mailSlow, .mailLost, .mailCut, .mailTimeout]
    }
    let fault = chance.one(of: all)
    met.append(fault)
    return fault
  }
}

extension SimulatedMail: MailService {
  func send(_ mail: Mail) async throws(MailFailure) {
    let letter = Letter(mail, try MailText(mail))
    let (outcome, time) = state.withLock { $0.judge(letter) }
    Transcript.only.note("mail \(letter.id) of \(letter.kind) to \(letter.to): \(outcome) after \(time)")
    if mail.body.contains(Leaks.secret) { Leaks.note(mail.body) }
    let isCancelled: Bool
    do {
      try await Task.sleep(for: .nanoseconds(time))
      isCancelled = false
    } catch { isCancelled = true }
    state.withLock { $0.end(letter, isCancelled ? .cancelled : outcome.failure) }
    if isCancelled { throw .cancelled }
    if let failure = outcome.failure { throw failure }
  }
}

extension SimulatedMail.Letter {
  init(_ mail: Mail, _ text: MailText) {
    (id, kind, to, wanted) = ("\(mail.id)", mail.kind, mail.to.key.value, mail.date.microseconds)
    // the only lines with a margin are the address and the code
    code = mail.body.split(separator: "\n").lazy.filter { $0.hasPrefix("    ") && !$0.contains("@") }.first.map {
      $0.filter { !" -".contains($0) }
    }
    identity = text.lines.filter { $0.hasPrefix("Message-ID: ") || $0.hasPrefix("Date: ") || $0.hasPrefix("To: ") }
    came = simulated_now()
  }
}

/// The simulated mail system as a backend that a configuration can choose.
struct SimulatedMailBackend: MailBackend {
  static let name = "simulated"
  /// The mail system of this run, which exists before regd starts.
  static let current = Mutex<SimulatedMail?>(nil)
  private let mails = current.withLock { $0 }

  init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {}

  func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail {
    guard let mails else { throw .configuration("there is no simulated mail system") }
    return OpenMail(mails)
  }

  static func == (one: Self, other: Self) -> Bool { one.mails === other.mails }
}
