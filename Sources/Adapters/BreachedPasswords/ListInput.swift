internal import Linux

/// The list that is read: a file or a pipe.
struct ListInput {
  private let descriptor: Int32
  /// Where the list begins, and where it ends; nil for a pipe.
  private let range: Range<Int>?

  /// Bytes between two calls of `progress`: some times a second, for a disk.
  private static let progressBytes = 16 << 20

  /// Looks at what can be known before hours have gone into it.
  ///
  /// - Parameter output: The file that is to be made.
  init(_ descriptor: Int32, output: String) throws(BreachedBuildFailure) {
    self.descriptor = descriptor
    let status: FileStatus
    do throws(SystemError) {
      let input = Descriptor(borrowing: descriptor)
      status = try input.status()
      let position = status.kind == .regular ? try input.position() : nil
      range = position.map { $0..<max($0, status.size) }
    } catch { throw .cannotRead(errorNumber: error.number) }
    // Links are followed here, though rename(2) would replace the link and not what it leads to.
    guard let existing = try? FileStatus(output) else { return }
    guard existing.kind == .regular else { throw .notAFile(path: output) }
    guard existing.identity != status.identity else { throw .wouldReplaceInput(path: output) }
  }

  /// Nil for a pipe.
  var byteCount: Int? { range?.count }

  /// About how many hashes there are with such a count or a higher one, and rather more; nil for a pipe.
  func entries(minimumCount: UInt64) -> Int? {
    range.map { SizeEstimate(minimumCount: minimumCount).entries(descriptor, from: $0.lowerBound, to: $0.upperBound) }
  }

  /// Reads all of it into the filter.
  ///
  /// - Throws: Also where nothing was taken, for an empty list would let every password through in silence.
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
