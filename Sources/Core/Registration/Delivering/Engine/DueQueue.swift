internal import FairSharing

/// A place in a queue; it counts as long as the entry has its version.
struct DeliveryPlace<ID: Hashable & Comparable & Sendable>: Sendable {
  let id: ID
  let turn: DeliveryTurn
  let attempts: Int
  let next: ContinuousClock.Instant
  let version: Int

  /// The fewest failures first, among those what is urgent, and then the oldest.
  func goesBefore(_ other: DeliveryPlace) -> Bool {
    (attempts, turn.isUrgent ? 0 : 1, id) < (other.attempts, other.turn.isUrgent ? 0 : 1, other.id)
  }
}

/// Deliveries whose time has come. Users take turns, and of one user what is urgent goes first; its origins take turns among
/// themselves, and of one origin the fewest failures go first, and then the oldest.
struct DueQueue<ID: Hashable & Comparable & Sendable>: Sendable {
  typealias Place = DeliveryPlace<ID>

  /// What is due of one turn, the best first.
  private var lines: [DeliveryTurn: PriorityQueue<Place>] = [:]
  /// For each place whose turn it belongs to. Which place of that turn is taken is decided when the turn comes.
  private var turns = FairQueue<UInt32?, Origin?, DeliveryTurn>()

  /// Places, stale ones included.
  var count: Int { turns.count }

  mutating func removeAll() { self = DueQueue() }

  mutating func append(_ place: Place) {
    lines[place.turn, default: PriorityQueue { $0.goesBefore($1) }].append(place)
    turns.append(place.turn, of: place.turn.share.uid, place.turn.share.origin, isPreferred: place.turn.isUrgent)
  }

  /// Takes the place whose turn it is.
  ///
  /// - Parameter counts: Whether a place is not stale.
  mutating func popFirst(where counts: (Place) -> Bool) -> Place? {
    while let turn = turns.popFirst()?.element {
      guard var line = lines.removeValue(forKey: turn) else { continue }
      var found: Place?
      while found == nil, let place = line.popFirst() { found = counts(place) ? place : nil }
      if line.count > 0 { lines[turn] = line }
      // where all of the line was stale, the turn is the next one's
      if let found { return found }
    }
    return nil
  }

  /// One of those that are due; which one is not said.
  mutating func first(where counts: (Place) -> Bool) -> Place? {
    for turn in Array(lines.keys) {
      while let place = lines[turn]?.first {
        if counts(place) { return place }
        _ = lines[turn]?.popFirst()
      }
      lines[turn] = nil
    }
    return nil
  }
}
