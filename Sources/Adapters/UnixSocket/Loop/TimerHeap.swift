internal import Linux

/// Timers of many owners: for each, the next instant at which it wants to be called. An owner has at most one timer, so
/// that a moved or cancelled timer leaves nothing behind. A binary heap that knows each owner's place.
struct TimerHeap {
  private struct Entry {
    let instant: MonotonicInstant
    let owner: Int
  }

  private var heap: [Entry] = []
  /// Each owner's place in the heap, or -1 if it has none.
  private var places: [Int] = []

  /// The earliest instant.
  var next: MonotonicInstant? { heap.first?.instant }

  /// - Parameters:
  ///   - owner: A small number, 0 or more.
  ///   - instant: Replaces the owner's former instant. Nil cancels the timer.
  mutating func set(_ owner: Int, to instant: MonotonicInstant?) {
    if owner >= places.count {
      guard instant != nil else { return }
      places += [Int](repeating: -1, count: owner + 1 - places.count)
    }
    if places[owner] >= 0 { remove(at: places[owner]) }
    guard let instant else { return }
    heap.append(Entry(instant: instant, owner: owner))
    places[owner] = heap.count - 1
    rise(from: heap.count - 1)
  }

  /// Removes and returns an owner whose instant has come, the earliest first. Returns nil if no instant has come.
  mutating func takeExpired(at now: MonotonicInstant) -> Int? {
    guard let first = heap.first, first.instant <= now else { return nil }
    remove(at: 0)
    return first.owner
  }

  private mutating func remove(at place: Int) {
    let last = heap.count - 1
    swap(place, last)
    places[heap.removeLast().owner] = -1
    if place < last {
      sink(from: place)
      rise(from: place)
    }
  }

  private mutating func rise(from place: Int) {
    var place = place
    while place > 0, heap[place].instant < heap[(place - 1) / 2].instant {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(from place: Int) {
    var place = place
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child].instant < heap[least].instant { least = child }
      guard least != place else { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ one: Int, _ other: Int) {
    heap.swapAt(one, other)
    places[heap[one].owner] = one
    places[heap[other].owner] = other
  }
}
