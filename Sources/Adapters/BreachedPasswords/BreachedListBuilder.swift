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
