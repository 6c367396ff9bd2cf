/// The connections of one event loop, each at a place that events and other threads name it by. A place that was given up is
/// taken again, by another generation: what comes late for the former connection does not reach the new one.
struct ConnectionTable {
  struct Place: Hashable, Sendable {
    fileprivate(set) var index: UInt32
    fileprivate(set) var generation: UInt32

    /// For epoll(7). Below `firstToken` are the tokens that are no places.
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

  /// Puts in the connection that is made for the place.
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
    // 0 is no generation: tokens below `firstToken` have it
    slots[Int(place.index)].generation = max(1, place.generation &+ 1)
    free.append(place.index)
  }

  var all: [Connection] { slots.compactMap(\.connection) }
}
