/// The times of wrong codes that callers tried, in memory.
struct WrongCodeTable {
  /// The times of the wrong codes, in the order in which they came.
  private var times: [GuessedAddress: [Timestamp]] = [:]
  /// The times of the latest wrong codes over all addresses, in the order in which they came.
  private var latest: [Timestamp] = []

  /// - Parameter limit: The highest count that is returned for the address.
  func count(at address: GuessedAddress, limit: Int, _ now: Timestamp) -> WrongCodes {
    let (since, sinceOfAll) = (
      now.advanced(by: .zero - CodeBounds.span), now.advanced(by: .zero - CodeBounds.spanOfAll)
    )
    return WrongCodes(
      atAddress: times[address, default: []].lazy.filter { $0 > since }.prefix(limit).count,
      overAll: latest.count { $0 > sinceOfAll })
  }

  mutating func note(at address: GuessedAddress, _ now: Timestamp) {
    times[address, default: []].append(now)
    latest.append(now)
    if latest.count > CodeBounds.all { latest.removeFirst() }
  }

  /// Forgets wrong codes that no longer count. Times in the future become `now`.
  mutating func sweep(at now: Timestamp, _ isOver: (Timestamp) -> Bool) {
    var kept = times.mapValues { $0.map { min($0, now) }.filter { !isOver($0) } }
    let excess = kept.values.map(\.count).reduce(0, +) - CodeBounds.kept
    if excess > 0 {
      let first = kept.values.joined().sorted()[excess]
      kept = kept.mapValues { $0.filter { $0 >= first } }
    }
    times = kept.filter { !$0.value.isEmpty }
    latest = latest.map { min($0, now) }.filter { !isOver($0) }
  }
}
