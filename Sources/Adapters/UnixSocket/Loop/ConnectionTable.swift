/// The connections of one event loop. Events and other threads name a connection by its place. When a place is reused,
/// it gets another generation, so that a late message for the former connection does not reach the new one.
struct ConnectionTable {
  struct Place: Hashable, Sendable {
    fileprivate(set) var index: UInt32
    fileprivate(set) var generation: UInt32

    /// The epoll(7) token. Tokens below `firstToken` are not places.
    var token: UInt64 { UInt64(generation) << 32 | UInt64(index) }

    init(token: UInt64) { (index, generation) = (UInt32(truncatingIfNeeded: token), UInt32(token >> 32)) }

    fileprivate init(index: UInt32, generation: UInt32) { (self.index, self.generation) = (index, generation) }
  }

  static let firstToken: UInt64 = 1 << 32

  private struct Slot {
    var generation: UInt32 = 1
    var connection: Connection?
  }

  private var slots: [Slot] = []
  private var free: [UInt32] = []

  /// Makes the connection for a free place, and inserts it.
  mutating func insert(_ make: (Place) -> Connection) -> Connection {
    let index: UInt32
    if let last = free.popLast() {
      index = last
    } else {
      index = UInt32(slots.count)
      slots.append(Slot())
    }
    let connection = make(Place(index: index, generation: slots[Int(index)].generation))
    slots[Int(index)].connection = connection
    return connection
  }

  subscript(place: Place) -> Connection? {
    guard place.index < slots.count, slots[Int(place.index)].generation == place.generation else { return nil }
    return slots[Int(place.index)].connection
  }

  /// The connection at an index, whatever its generation.
  subscript(index: Int) -> Connection? { slots[index].connection }

  mutating func remove(_ place: Place) {
    guard self[place] != nil else { return }
    slots[Int(place.index)].connection = nil
    // 0 is not a generation: it belongs to the tokens below `firstToken`
    slots[Int(place.index)].generation = max(1, place.generation &+ 1)
    free.append(place.index)
  }

  var all: [Connection] { slots.compactMap(\.connection) }
}
