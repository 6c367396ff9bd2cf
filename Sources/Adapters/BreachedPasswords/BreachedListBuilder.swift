internal import Linux
package import Registration

/// Makes the file of a `BreachedList` from a published list of SHA-1 hashes.
package enum BreachedListBuilder {
  package struct Options: Sendable {
    /// The allowed false-positive rates. At the lowest, the file is five times as large as at 0.01.
    package static let rates = 0.000_001...0.1

    /// The wanted rate, which must be within `rates`.
    package var falsePositiveRate = 0.001
    /// Hashes with a lower count are left out. 1 leaves out hashes with the count 0, with which the publishing sites
    /// pad their answers to range queries.
    package var minimumCount: UInt64 = 1
    /// The expected number of hashes. If it is nil, the builder estimates it from the input, which must then be a file.
    package var entries: Int?
    /// The creation time for the file's header.
    package var createdAt: Timestamp

    package init(createdAt: Timestamp) { self.createdAt = createdAt }
  }

  package struct Progress: Equatable, Sendable {
    package var bytesRead = 0
    /// Bytes of the input, or nil for a pipe.
    package var byteCount: Int?
    package var linesRead = 0
    /// Whether the builder has read all input, and now only computes the rate and syncs the file.
    package var isWriting = false

    /// The part of the input that was read, 0 to 1, or nil for a pipe.
    package var fraction: Double? { byteCount.map { $0 > 0 ? Double(bytesRead) / Double($0) : 1 } }
  }

  package struct Summary: Equatable, Sendable {
    /// Inserted hashes. A hash that occurs twice counts twice, because the filter cannot recognize the repeat.
    package var entries: Int
    /// All lines read.
    package var lines: Int { entries + leftOut + skipped }
    /// The number of entries that the size was chosen for. If `entries` is more, the rate is worse than wanted.
    package var plannedEntries: Int
    /// Lines that were left out, because their count is below the minimum.
    package var leftOut: Int
    /// Malformed lines, which were skipped.
    package var skipped: Int
    /// The first few skipped lines, with the reasons.
    package var problems: [LineProblem]
    /// The finished file's false-positive rate, computed from its bits.
    package var falsePositiveRate: Double
    /// The finished file's size in bytes.
    package var byteCount: Int
  }

  /// Reads the list to its end and, if all went well, replaces the file at `path`. Otherwise nothing changes. Needs 1
  /// MiB of memory. Unless the list is sorted by hash, the machine should also have memory to cache the whole new file.
  ///
  /// - Parameters:
  ///   - descriptor: A file or a pipe, read from its present position.
  ///   - path: The file to make.
  ///   - progress: Called every 16 MiB of input, and once when all of it is read.
  package static func build(
    from descriptor: Int32, to path: String, _ options: Options, progress: (Progress) -> Void = { _ in }
  ) throws(BreachedBuildFailure) -> Summary {
    guard Options.rates.contains(options.falsePositiveRate) else { throw .impossibleRate(options.falsePositiveRate) }
    let input = try ListInput(descriptor, output: path)
    guard let planned = options.entries ?? input.entries(minimumCount: options.minimumCount) else {
      throw .sizeUnknown
    }
    guard let blocks = FilterSize.blocks(forEntries: planned, falsePositiveRate: options.falsePositiveRate) else {
      throw .impossibleEntries(planned)
    }
    var header = ListHeader(
      blockCount: blocks, entries: 0, falsePositiveRate: 0, createdAt: options.createdAt.microseconds)
    var file = try FileBeside(path: path)
    let mapping = try WritableMapping(of: file, byteCount: header.fileByteCount)
    let tally = try input.read(options, into: mapping.filter, progress)
    progress(Progress(bytesRead: tally.bytes, byteCount: input.byteCount, linesRead: tally.lines, isWriting: true))
    header.entries = tally.entries
    header.falsePositiveRate = mapping.filter.falsePositiveRate()
    // the header is written last, so that an incomplete file is never taken for a list
    mapping.write(header)
    try file.publish()
    return Summary(
      entries: tally.entries, plannedEntries: planned, leftOut: tally.leftOut, skipped: tally.skipped,
      problems: tally.problems, falsePositiveRate: header.falsePositiveRate, byteCount: header.fileByteCount)
  }
}

/// The published list that the builder reads: a file or a pipe.
struct ListInput {
  private let descriptor: Int32
  /// The list's range in the file, from the present position to the end, or nil for a pipe.
  private let range: Range<Int>?

  /// Bytes between two calls of `progress`: at a disk's speed, a few calls per second.
  private static let progressBytes = 16 << 20

  /// Checks input and output at the start, because the build may take hours: the output must be a new file, or a
  /// regular file other than the input.
  ///
  /// - Parameter output: The path of the file to make.
  init(_ descriptor: Int32, output: String) throws(BreachedBuildFailure) {
    self.descriptor = descriptor
    let status: FileStatus
    do throws(SystemError) {
      let input = Descriptor(borrowing: descriptor)
      status = try input.status()
      let position = status.kind == .regular ? try input.position() : nil
      range = position.map { $0..<max($0, status.size) }
    } catch { throw .cannotRead(errorNumber: error.number) }
    // FileStatus follows a link, so that a link to the input counts as the input, although rename(2) would replace only
    // the link.
    guard let existing = try? FileStatus(output) else { return }
    guard existing.kind == .regular else { throw .notAFile(path: output) }
    guard existing.identity != status.identity else { throw .wouldReplaceInput(path: output) }
  }

  /// The input's size, or nil for a pipe.
  var byteCount: Int? { range?.count }

  /// Estimates how many hashes have at least this count, rather too high than too low. Returns nil for a pipe.
  func entries(minimumCount: UInt64) -> Int? {
    range.map { SizeEstimate(minimumCount: minimumCount).entries(descriptor, from: $0.lowerBound, to: $0.upperBound) }
  }

  /// Reads the whole input into the filter.
  ///
  /// - Throws: Also if no hash was inserted, because an empty list would silently accept every password.
  func read(
    _ options: BreachedListBuilder.Options, into filter: BlockFilter,
    _ progress: (BreachedListBuilder.Progress) -> Void
  ) throws(BreachedBuildFailure) -> HashListReader.Tally {
    var reader = HashListReader(minimumCount: options.minimumCount)
    var (next, touched) = (Self.progressBytes, UInt64(0))
    try reader.read(descriptor) { hashes in
      touched ^= filter.insert(hashes)
    } chunkRead: { tally in
      guard tally.bytes >= next else { return }
      next = tally.bytes + Self.progressBytes
      progress(.init(bytesRead: tally.bytes, byteCount: byteCount, linesRead: tally.lines))
    }
    let tally = reader.tally
    guard tally.lines > 0 else { throw .noLines }
    guard tally.skipped < tally.lines else { throw .notAHashList(problems: tally.problems) }
    guard tally.entries > 0 else { throw .allLeftOut(lines: tally.leftOut, minimumCount: options.minimumCount) }
    return tally
  }
}

/// Estimates how many lines of a file will be inserted, before the file is read.
///
/// The size alone gives only an upper bound, one line per 41 bytes: a tenth too high for the usual list, and several
/// times too high if a minimum count excludes most lines. So the estimate reads some evenly spread pieces of the file
/// and counts their lines.
struct SizeEstimate {
  let minimumCount: UInt64
  /// How many pieces are read. 256 of 16 KiB are 4 MiB, read within a second from any disk.
  var pieces = 256
  /// Bytes of a piece.
  var pieceSize = 16_384

  /// The number of lines to make room for. A list with at most this many lines has the wanted false-positive rate, or a
  /// better one.
  ///
  /// - Parameters:
  ///   - descriptor: A regular file, whose position does not change.
  ///   - start: The position of the list's first byte.
  ///   - end: The position after the list's last byte.
  func entries(_ descriptor: Int32, from start: Int, to end: Int) -> Int {
    // a line has a hash and a line feed, which the last line may lack
    let most = max(0, end - start + 1) / (HashLine.digits + 1)
    guard end - start > 2 * pieces * pieceSize else { return most }
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceSize)
    defer { buffer.deallocate() }
    var (bytes, lines, taken) = (0, 0, 0)
    for piece in 0..<pieces {
      let position = start + (end - start - pieceSize) / pieces * piece
      let read = try? Descriptor(borrowing: descriptor).read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: pieceSize), at: position)
      // the later read of the whole file reports the failure
      guard let count = read, count > 0 else { return most }
      var line: UnsafePointer<UInt8>?  // none yet: the first may have begun before the piece
      for index in 0..<count where buffer[index] == UInt8(ascii: "\n") {
        let next = UnsafePointer(buffer) + index + 1
        if let line {
          bytes += next - line
          lines += 1
          if let parsed = HashLine(at: line, before: next), parsed.count ?? 1 >= minimumCount { taken += 1 }
        }
        line = next
      }
    }
    guard taken > 0 else { return most }
    let share = Double(end - start) / Double(bytes)
    // One percent for the varying length of lines. If a minimum excludes lines, also the lines between two pieces,
    // because in a list sorted by count the last inserted line may be anywhere between them.
    let margin = 1.01 * Double(taken) + Double(taken < lines ? 2 * lines / pieces : 0)
    return min(most, Int(share * margin) + 1)
  }
}

/// A memory mapping of a list's file, which the builder fills. Its deinitializer unmaps the file.
struct WritableMapping: ~Copyable {
  private let mapping: FileMapping
  let filter: BlockFilter

  /// - Parameter byteCount: The size of the whole file with its header. The initializer fills the file with zeros.
  init(of file: borrowing FileBeside, byteCount: Int) throws(BreachedBuildFailure) {
    try file.reserve(byteCount)
    mapping = try file.attempt(.mapped) { (file) throws(SystemError) in
      try FileMapping(file, count: byteCount)
    }
    let blocks = UnsafeMutableRawBufferPointer(rebasing: mapping.bytes[ListHeader.byteCount...])
    filter = BlockFilter(
      lanes: blocks.bindMemory(to: UInt64.self).baseAddress!, blockCount: blocks.count / BlockFilter.bytesPerBlock)
  }

  func write(_ header: ListHeader) { mapping.bytes.copyBytes(from: header.bytes) }
}
