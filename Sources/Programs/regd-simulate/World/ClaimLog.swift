internal import CSimulation
internal import RegdClient
internal import Registration
internal import Synchronization

/// The world's knowledge of a claim, from the replies that it got.
final class KnownClaim {
  let id: String
  let key: String
  let uid: UInt32
  /// The registration that led to the claim, or nil for a recovery.
  let attempt: Attempt?
  /// When it was requested, and when it was answered first. regd made the claim in between.
  let asked: Int64
  let answered = simulated_now()
  /// For each of the claim's mails: when regd created it, in microseconds of the wall clock, and the earliest time at
  /// which it may have been requested.
  private(set) var wanted: [(time: Int64, asked: Int64)] = []
  /// Well-formed wrong codes that were sent for the claim.
  var guesses = 0
  /// Codes that regd rejected as wrong while the claim's code was valid.
  var wrong = 0
  /// How often the claim's own code was sent for it.
  var proofs = 0
  /// The account in the first answer to the correct code. `finished` has the times of that code's request and answer.
  var account: String?
  var finished: (asked: Int64, answered: Int64)?

  init(id: String, key: String, uid: UInt32, attempt: Attempt?, asked: Int64) {
    (self.id, self.key, self.uid, self.attempt, self.asked) = (id, key, uid, attempt, asked)
  }

  var isRecovery: Bool { attempt == nil }

  func note(wanted time: Int64, asked: Int64) {
    if !wanted.contains(where: { $0.time == time }) { wanted.append((time, asked)) }
  }

  var latest: (time: Int64, asked: Int64) { wanted.max { $0.time < $1.time } ?? (0, 0) }
}

/// All claims that the world knows, and the events that may have ended them.
final class ClaimLog {
  private(set) var all: [KnownClaim] = []
  /// How many mails were requested, by address.
  var asks: [String: Int] = [:]
  /// For each address, the time until which an event, such as a recovery or a deletion, may have ended its claims.
  private var doubts: [String: Int64] = [:]
  private let terms: Terms

  init(_ terms: Terms) { self.terms = terms }

  func find(_ id: String) -> KnownClaim? { all.first { $0.id == id } }
  func claims(for key: String) -> [KnownClaim] { all.filter { $0.key == key } }

  /// Whether regd created another claim's mail in the same microsecond, so that the codes cannot be told apart.
  func isAmbiguous(_ claim: KnownClaim) -> Bool {
    let times = Set(claim.wanted.map(\.time))
    return all.contains { $0 !== claim && $0.key == claim.key && $0.wanted.contains { times.contains($0.time) } }
  }

  /// Records the claim in a reply.
  ///
  /// - Parameter asked: When the reply's request was sent.
  /// - Returns: Nil if the reply has no claim.
  func note(
    _ claim: JSONValue, uid: UInt32, attempt: Attempt?, asked: Int64, _ rules: AdmissionRules
  ) -> KnownClaim? {
    guard let id = claim["id"]?.string, let email = claim["email"]?.string,
      let again = claim["resendAt"]?.string.flatMap({ Timestamp(rfc3339: $0) })
    else { return nil }
    let known: KnownClaim
    if let found = find(id) {
      known = found
    } else {
      known = KnownClaim(id: id, key: email.lowercased(), uid: uid, attempt: attempt, asked: asked)
      all.append(known)
    }
    known.note(wanted: again.microseconds - Int64(rules.resendSeconds) * 1_000_000, asked: asked)
    return known
  }

  /// Notes the start of an event that may end an address's claims.
  func doubt(_ key: String) { doubts[key] = .max }
  /// Notes the end of an event that `doubt` noted. If its answer was lost, regd may still perform the request a little
  /// later.
  func endDoubt(_ key: String, isLost: Bool) {
    doubts[key] = simulated_now() + (isLost ? Int64(terms.requestSeconds + 5) * 1_000_000_000 : 0)
  }
  func isDoubtful(_ claim: KnownClaim) -> Bool { doubts[claim.key].map { claim.asked < $0 } ?? false }
}

extension World {
  /// Mails with codes of a claim, the latest first.
  func letters(of claim: KnownClaim) -> [SimulatedMail.Letter] {
    let times = Set(claim.wanted.map(\.time))
    return mails.state.withLock { state in
      state.letters.filter { $0.to == claim.key && $0.code != nil && times.contains($0.wanted) }.reversed()
    }
  }

  /// Whether a claim certainly has not expired, and no event but its own requests has ended it.
  func stands(_ claim: KnownClaim) -> Bool {
    let life = claim.isRecovery ? scenario.admission.codeSeconds : scenario.admission.claimSeconds
    return !scenario.faults.hasClockFaults && !claims.isDoubtful(claim) && !mayBeTakenOver(claim)
      && simulated_now() < claim.asked + Int64(life) * 1_000_000_000
  }

  /// Whether the code in the claim's latest mail is certainly still valid. The code may be older than this mail,
  /// because an earlier mail with it may have been refused. Its age therefore counts from the earliest mail that may
  /// have contained it: one after the latest mail with another code, and at most a code's life before the latest mail.
  func isAlive(_ code: String, of claim: KnownClaim) -> Bool {
    let letters = letters(of: claim)
    guard !scenario.faults.hasClockFaults, let last = letters.first, last.code == code,
      last.wanted == claim.latest.time
    else { return false }
    let other = letters.first { $0.code != code }?.wanted ?? .min
    let earliest = max(other, last.wanted - Int64(scenario.admission.codeSeconds) * 1_000_000)
    return isWithinCode(since: claim.wanted.filter { $0.time > earliest }.map(\.asked).min() ?? 0)
  }

  /// Whether a code made at this time or later certainly is valid, with a margin of 10 %.
  func isWithinCode(since time: Int64) -> Bool {
    simulated_now() < time + Int64(scenario.admission.codeSeconds) * 900_000_000
  }
}
