internal import FairQueues
internal import HeapModule

/// A delivery's element in a queue. It is current while the schedule's entry has the same version, and stale
/// afterwards.
///
/// Places are ordered by the number of failures, then by lane, then by age (the oldest first).
struct DeliveryPlace<ID: Hashable & Comparable & Sendable>: Comparable, Sendable {
  let id: ID
  let turn: DeliveryTurn
  let attempts: Int
  let next: ContinuousClock.Instant
  let version: Int

  var lane: DeliveryLane { turn.lane(attempts: attempts) }
  var rank: Int { turn.rank(attempts: attempts) }
  private var order: (Int, Int, ID) { (attempts, turn.lane.rawValue, id) }

  static func == (one: DeliveryPlace, other: DeliveryPlace) -> Bool { one.order == other.order }
  static func < (one: DeliveryPlace, other: DeliveryPlace) -> Bool { one.order < other.order }
}

/// Deliveries that are due. Users take turns. Among the entries of one user, first tries have priority: their lanes
/// take turns, and repeats get only every eighth turn while first tries wait. So neither kind waits until the other is
/// empty. In a lane the lowest rank goes first, and within a rank the origins take turns. Among the entries of one
/// origin, the delivery with the fewest failures goes first. If several have the fewest, the oldest goes first.
struct DueQueue<ID: Hashable & Comparable & Sendable>: Sendable {
  typealias Place = DeliveryPlace<ID>

  private struct Line: Hashable {
    let share: Share
    let lane: DeliveryLane
    let rank: Int
  }

  /// The lanes of one user. For each lane and rank: the origins with due deliveries, one turn for each delivery.
  private struct Lanes: Sendable {
    private var origins: [DeliveryLane: [Int: RoundRobin<Origin?, Share>]] = [:]
    private var last = DeliveryLane.ofFirstTries.count - 1
    /// How many first tries went since the last repeat.
    private var sinceRepeat = 0

    mutating func append(_ line: Line) {
      origins[line.lane, default: [:]][line.rank, default: RoundRobin()].append(line.share, of: line.share.origin)
    }

    /// Takes the line (share, lane and rank) whose turn it is.
    mutating func popFirst() -> Line? {
      if sinceRepeat >= DeliveryLane.firstTriesPerRepeat, let line = popRepeat() { return line }
      let lanes = DeliveryLane.ofFirstTries
      for step in 1...lanes.count {
        let index = (last + step) % lanes.count
        guard let line = popFirst(in: lanes[index]) else { continue }
        last = index
        sinceRepeat += 1
        return line
      }
      return popRepeat()
    }

    private mutating func popRepeat() -> Line? {
      guard let line = popFirst(in: .repeated) else { return nil }
      sinceRepeat = 0
      return line
    }

    private mutating func popFirst(in lane: DeliveryLane) -> Line? {
      guard let rank = origins[lane]?.keys.min(), let share = origins[lane]?[rank]?.popFirst()?.element else {
        return nil
      }
      if origins[lane]?[rank]?.isEmpty ?? true { origins[lane]?[rank] = nil }
      return Line(share: share, lane: lane, rank: rank)
    }

    var isEmpty: Bool { origins.values.allSatisfy(\.isEmpty) }
  }

  /// The due deliveries of each line (share, lane and rank), those with the fewest failures first.
  private var lines: [Line: Heap<Place>] = [:]
  private var users: [UInt32?: Lanes] = [:]
  /// The users' turns: one for each of a user's places. The place is chosen only when the turn comes.
  private var turns = RoundRobin<UInt32?, Void>()

  /// The number of places, including stale ones.
  var count: Int { turns.count }

  mutating func removeAll() { self = DueQueue() }

  mutating func append(_ place: Place) {
    let share = place.turn.share
    let line = Line(share: share, lane: place.lane, rank: place.rank)
    lines[line, default: Heap()].insert(place)
    users[share.uid, default: Lanes()].append(line)
    turns.append((), of: share.uid)
  }

  /// Takes the place whose turn it is.
  ///
  /// - Parameter counts: Whether a place is current, not stale.
  mutating func popFirst(where counts: (Place) -> Bool) -> Place? {
    // binds the whole pair: regd's own share has no uid, so binding the user alone would end the loop at nil
    while let (user, _) = turns.popFirst() {
      guard let line = users[user]?.popFirst() else { continue }
      if users[user]?.isEmpty ?? true { users[user] = nil }
      var found: Place?
      guard var places = lines.removeValue(forKey: line) else { continue }
      while found == nil, let place = places.popMin() { found = counts(place) ? place : nil }
      if !places.isEmpty { lines[line] = places }
      // if all places of the line were stale, the next user has the turn
      if let found { return found }
    }
    return nil
  }

  /// Finds one due place that is current, whichever it is.
  mutating func first(where counts: (Place) -> Bool) -> Place? {
    for line in Array(lines.keys) {
      while let place = lines[line]?.min {
        if counts(place) { return place }
        _ = lines[line]?.popMin()
      }
      lines[line] = nil
    }
    return nil
  }
}
