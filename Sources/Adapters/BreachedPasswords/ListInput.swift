internal import Linux

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
