internal import Glibc

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
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .cannotRead(errorNumber: errno) }
    if status.st_mode & S_IFMT == S_IFREG {
      let position = Int(lseek(descriptor, 0, SEEK_CUR))
      range = position..<max(position, Int(status.st_size))
    } else {
      range = nil
    }
    // Links are followed here, though rename(2) would replace the link and not what it leads to.
    var existing = stat()
    guard stat(output, &existing) == 0 else { return }
    guard existing.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: output) }
    guard (existing.st_dev, existing.st_ino) != (status.st_dev, status.st_ino) else {
      throw .wouldReplaceInput(path: output)
    }
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
