package import Registration

/// Makes the file of a `BreachedList` from a published list of SHA-1 hashes.
package enum BreachedListBuilder {
  package struct Options: Sendable {
    /// False-positive rates that may be asked for. A file for the lowest is five times the size of one for 0.01.
    package static let rates = 0.000_001...0.1

    /// The rate that is asked for; within `rates`.
    package var falsePositiveRate = 0.001
    /// Hashes with a lower count are left out. 1 leaves out those with 0, which the web interface puts in as padding.
    package var minimumCount: UInt64 = 1
    /// How many hashes to plan for; nil to find out from the input, which has to be a file then.
    package var entries: Int?
    /// What the file says of its making.
    package var createdAt: Timestamp

    package init(createdAt: Timestamp) { self.createdAt = createdAt }
  }

  package struct Progress: Equatable, Sendable {
    package var bytesRead = 0
    /// Bytes of the input; nil where it does not say.
    package var byteCount: Int?
    package var linesRead = 0
    /// All is read; what is left is to count the rate and to wait for the disk.
    package var isWriting = false

    /// Of the input that is read; nil where nobody knows.
    package var fraction: Double? { byteCount.map { $0 > 0 ? Double(bytesRead) / Double($0) : 1 } }
  }

  package struct Summary: Equatable, Sendable {
    /// Hashes that were put in; what stood twice counts twice, for a filter cannot know.
    package var entries: Int
    /// All that were read.
    package var lines: Int { entries + leftOut + skipped }
    /// What the size was chosen for. Where `entries` is more, the rate is worse than was asked for.
    package var plannedEntries: Int
    /// Lines below the least count.
    package var leftOut: Int
    /// Lines that were wrong.
    package var skipped: Int
    /// The first few of those.
    package var problems: [LineProblem]
    /// As counted in the finished file.
    package var falsePositiveRate: Double
    /// Of the finished file.
    package var byteCount: Int
  }

  /// Reads the list to its end, and puts the file in the place of what has its name, if all went well; else nothing has
  /// changed. Memory: 1 MiB, and what the kernel keeps of the file that is being made, which should be less than the
  /// machine has if the list is not sorted by hash.
  ///
  /// - Parameters:
  ///   - descriptor: A file or a pipe; read from where it stands.
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
    // last, so that what is not whole is no list under any name
    mapping.write(header)
    try file.publish()
    return Summary(
      entries: tally.entries, plannedEntries: planned, leftOut: tally.leftOut, skipped: tally.skipped,
      problems: tally.problems, falsePositiveRate: header.falsePositiveRate, byteCount: header.fileByteCount)
  }
}
