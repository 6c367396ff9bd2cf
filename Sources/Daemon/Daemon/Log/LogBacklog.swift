/// Lines that wait to be written, bounded in bytes; a state machine.
///
/// A full one takes no more until half of it has been written, and then says how many it did not take: at the place where
/// they are missing, and once for all of them.
struct LogBacklog {
  /// Bytes; some ten thousand lines.
  static let capacity = 1 << 20
  /// What a pipe takes whole or not at all (PIPE_BUF, pipe(7)), so that other writers' lines do not get between.
  static let mostAtOnce = 4096

  private var lines: [[UInt8]] = []
  /// Where the next one stands; those before it are done with.
  private var head = 0
  private var bytes = 0
  /// Lines that were not taken since it got full, and not reported yet.
  private var missing = 0
  private let capacity: Int
  private let mostAtOnce: Int

  /// - Parameter mostAtOnce: Bytes of lines that are taken together; a longer line is taken by itself.
  init(capacity: Int = Self.capacity, mostAtOnce: Int = Self.mostAtOnce) {
    self.capacity = capacity
    self.mostAtOnce = mostAtOnce
  }

  var count: Int { lines.count - head }

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

  /// The next lines, as many as are written at once; nil if none waits.
  ///
  /// - Parameter notice: Makes the line that says how many are missing.
  mutating func take(notice: (_ missing: Int) -> [UInt8]) -> [UInt8]? {
    if missing > 0, bytes <= capacity / 2 {
      lines.append(notice(missing))
      bytes += lines[lines.count - 1].count
      missing = 0
    }
    guard head < lines.count else { return nil }
    var text: [UInt8] = []
    while head < lines.count, text.isEmpty || text.count + lines[head].count <= mostAtOnce {
      text += lines[head]
      lines[head] = []
      head += 1
    }
    bytes -= text.count
    // the front is given back when it is half of all, so that taking one costs the same however many wait
    if head * 2 >= lines.count {
      lines.removeFirst(head)
      head = 0
    }
    return text
  }
}
