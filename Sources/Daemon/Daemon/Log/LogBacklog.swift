/// Lines that wait to be written, limited in bytes; a state machine.
///
/// Once full, it drops lines until half of it has been written. Then one line at their place tells how many were
/// dropped.
struct LogBacklog {
  /// Bytes; about ten thousand lines.
  static let capacity = 1 << 20
  /// The most bytes that a pipe accepts completely or not at all (PIPE_BUF, pipe(7)), so that other writers' lines do
  /// not mix in.
  static let mostAtOnce = 4096

  private var lines: [[UInt8]] = []
  /// The index of the next line; those before it were taken.
  private var head = 0
  private var bytes = 0
  /// Lines dropped since the backlog was full, and not reported yet.
  private var missing = 0
  private let capacity: Int
  private let mostAtOnce: Int

  /// - Parameter mostAtOnce: The most bytes of lines that are taken together; a longer line is taken alone.
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

  /// Removes and returns the next lines to write at once; nil if none waits.
  ///
  /// - Parameter notice: Makes the line that reports the dropped lines.
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
    // the front is dropped only when it is half of the array: removal takes constant time, amortized
    if head * 2 >= lines.count {
      lines.removeFirst(head)
      head = 0
    }
    return text
  }
}
