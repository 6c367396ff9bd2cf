internal import CSimulation
internal import RegdClient
internal import Registration
internal import Synchronization

/// What is known of a claim, from regd's replies.
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

/// All claims that are known, and the events that may have ended them.
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
