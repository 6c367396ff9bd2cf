internal import Linux
internal import Localization

/// Reads a published list as a stream, in a buffer of fixed size.
struct HashListReader {
  /// The counts so far.
  struct Tally {
    var bytes = 0
    var lines = 0
    /// Lines whose hash was inserted.
    var entries = 0
    /// Lines that were left out, because their count is below the minimum.
    var leftOut = 0
    /// Lines that are malformed, too long, or without the count that a minimum above 1 needs.
    var skipped = 0
    /// The first few of the skipped lines.
    var problems: [LineProblem] = []

    mutating func skip(_ reason: @autoclosure () -> LocalizedMessage) {
      lines += 1
      skipped += 1
      if problems.count < HashListReader.problemsKept { problems.append(LineProblem(line: lines, reason: reason())) }
    }
  }

  /// The most bytes of a line. A longer line is skipped as malformed.
  static let longestLine = 4096
  static let problemsKept = 5
  /// If this many lines at the beginning are all wrong, the file is not a list.
  static let wrongLinesAtFirst = 100
  private static let bufferSize = 1 << 20
  private static let batchSize = 512

  /// Lines with a lower count are not inserted.
  let minimumCount: UInt64
  private(set) var tally = Tally()
  /// Whether the next bytes continue a line that was already skipped as too long.
  private var isInLongLine = false

  init(minimumCount: UInt64) { self.minimumCount = minimumCount }

  /// Reads the input to its end.
  ///
  /// - Parameters:
  ///   - insert: Called with up to 512 hashes at a time.
  ///   - chunkRead: Called after each read, which brings up to 1 MiB.
  mutating func read(
    _ descriptor: Int32, insert: (UnsafeBufferPointer<EntryHash>) -> Void, chunkRead: (Tally) -> Void
  ) throws(BreachedBuildFailure) {
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.bufferSize)
    let batch = UnsafeMutablePointer<EntryHash>.allocate(capacity: Self.batchSize)
    defer {
      buffer.deallocate()
      batch.deallocate()
    }
    var held = 0  // bytes of a line without its end
    while true {
      // leaves room for a line feed, if the last line has none
      let room = UnsafeMutableRawBufferPointer(start: buffer + held, count: Self.bufferSize - 1 - held)
      let count: Int
      do throws(SystemError) { count = try Descriptor(borrowing: descriptor).read(into: room) } catch {
        throw .cannotRead(errorNumber: error.number)
      }
      tally.bytes += count
      var end = buffer + held + count
      if count == 0 {
        guard held > 0 else { return }
        end.pointee = UInt8(ascii: "\n")
        end += 1
      }
      let rest = try takeLines(UnsafePointer(buffer), UnsafePointer(end), batch, insert)
      held = UnsafePointer(end) - rest
      if held > Self.longestLine {
        if !isInLongLine { tally.skip(LineProblem.tooLong) }
        isInLongLine = true
        held = 0
      } else if held > 0 {
        buffer.update(from: rest, count: held)
      }
      chunkRead(tally)
      if count == 0 { return }
    }
  }

  /// Processes the complete lines between `start` and `limit`.
  ///
  /// - Returns: The start of the incomplete last line, or `limit` if the last line is complete.
  private mutating func takeLines(
    _ start: UnsafePointer<UInt8>, _ limit: UnsafePointer<UInt8>, _ batch: UnsafeMutablePointer<EntryHash>,
    _ insert: (UnsafeBufferPointer<EntryHash>) -> Void
  ) throws(BreachedBuildFailure) -> UnsafePointer<UInt8> {
    var (next, batched) = (start, 0)
    if isInLongLine {
      guard let lineFeed = Self.lineFeed(from: next, before: limit) else { return limit }
      isInLongLine = false
      next = lineFeed + 1
    }
    while next < limit {
      guard let line = HashLine(at: next, before: limit), line.count != nil || minimumCount <= 1 else {
        guard let lineFeed = Self.lineFeed(from: next, before: limit) else { break }
        skip(UnsafeBufferPointer(start: next, count: lineFeed - next))
        next = lineFeed + 1
        guard tally.skipped < tally.lines || tally.lines < Self.wrongLinesAtFirst else {
          throw .notAHashList(problems: tally.problems)
        }
        continue
      }
      next = line.end
      tally.lines += 1
      guard line.count ?? 1 >= minimumCount else {
        tally.leftOut += 1
        continue
      }
      batch[batched] = line.hash
      batched += 1
      if batched == Self.batchSize {
        insert(UnsafeBufferPointer(start: batch, count: batched))
        tally.entries += batched
        batched = 0
      }
    }
    insert(UnsafeBufferPointer(start: batch, count: batched))
    tally.entries += batched
    return next
  }

  /// Counts a skipped line, and keeps the reason.
  ///
  /// - Parameter line: Without its line feed, which must follow in memory.
  private mutating func skip(_ line: UnsafeBufferPointer<UInt8>) {
    if line.count > Self.longestLine {
      tally.skip(LineProblem.tooLong)
    } else if let start = line.baseAddress, HashLine(at: start, before: start + line.count + 1) != nil {
      tally.skip(LineProblem.noCount)
    } else {
      tally.skip(LineProblem.reason(for: line))
    }
  }

  private static func lineFeed(
    from start: UnsafePointer<UInt8>, before limit: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8>? {
    UnsafeBufferPointer(start: start, count: limit - start).firstIndex(of: UInt8(ascii: "\n")).map { start + $0 }
  }
}
