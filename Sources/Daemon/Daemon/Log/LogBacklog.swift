internal import DequeModule

/// A queue of lines that wait to be written, limited in bytes. It has no lock and does no I/O.
///
/// Once full, the backlog drops new lines until half of its bytes have been written. Then it appends a line with the
/// number of dropped lines.
struct LogBacklog {
  /// The capacity in bytes, enough for about ten thousand lines.
  static let capacity = 1 << 20
  /// The most bytes of one write: as many as a pipe accepts completely or not at all (PIPE_BUF, pipe(7)), so that other
  /// writers' lines do not mix in.
  static let mostAtOnce = 4096

  private var lines = Deque<[UInt8]>()
  private var bytes = 0
  /// Dropped lines that no notice has reported yet. While there are any, new lines are dropped too.
  private var missing = 0
  private let capacity: Int
  private let mostAtOnce: Int

  /// - Parameter mostAtOnce: The most bytes of lines that one `take` returns together. A longer line is returned alone.
  init(capacity: Int = Self.capacity, mostAtOnce: Int = Self.mostAtOnce) {
    self.capacity = capacity
    self.mostAtOnce = mostAtOnce
  }

  var count: Int { lines.count }

  /// - Returns: Whether there was room for the line.
  mutating func append(_ line: [UInt8]) -> Bool {
    guard missing == 0, bytes + line.count <= capacity else {
      missing += 1
      return false
    }
    lines.append(line)
    bytes += line.count
    return true
  }

  /// Removes and returns the next lines to write at once, or nil if none waits.
  ///
  /// - Parameter notice: Makes the line that reports the dropped lines.
  mutating func take(notice: (_ missing: Int) -> [UInt8]) -> [UInt8]? {
    if missing > 0, bytes <= capacity / 2 {
      let line = notice(missing)
      lines.append(line)
      bytes += line.count
      missing = 0
    }
    guard var text = lines.popFirst() else { return nil }
    while let next = lines.first, text.count + next.count <= mostAtOnce, let line = lines.popFirst() { text += line }
    bytes -= text.count
    return text
  }
}
