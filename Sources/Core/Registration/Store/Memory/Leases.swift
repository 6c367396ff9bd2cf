/// Keeps for each account the regd that may ask the upstream for it, the outcome of the last request to the upstream,
/// and the share (user and origin) that reserved the account.
struct Leases {
  private struct Row {
    var claim: (instance: String, end: ContinuousClock.Instant)?
    var delivery: Delivery?
  }

  private var rows: [AccountID: Row] = [:]
  private var shares: [AccountID: Share] = [:]

  /// Whether another regd has an unexpired claim of the account.
  func isAnother(_ id: AccountID, than claimant: Claimant, _ now: ContinuousClock.Instant) -> Bool {
    rows[id]?.claim.map { $0.instance != claimant.instance && $0.end > now } ?? false
  }

  func delivery(of id: AccountID) -> Delivery? { rows[id]?.delivery }

  mutating func claim(_ id: AccountID, _ claimant: Claimant, _ now: ContinuousClock.Instant) {
    rows[id, default: Row()].claim = (claimant.instance, now + claimant.lease)
  }

  mutating func end(_ id: AccountID, _ delivery: Delivery) { rows[id] = Row(claim: nil, delivery: delivery) }

  mutating func reserve(_ id: AccountID, for share: Share) { shares[id] = share }

  /// The share that reserved the account, or regd's own share if none did.
  func share(of id: AccountID) -> Share { shares[id] ?? .daemon }

  mutating func forget(_ id: AccountID) {
    rows[id] = nil
    shares[id] = nil
  }
}
