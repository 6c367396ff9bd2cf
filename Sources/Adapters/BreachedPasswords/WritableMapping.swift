internal import Linux

/// The file of a list while it is filled, in memory and on the disk at once; unmapped at the end.
struct WritableMapping: ~Copyable {
  private let mapping: FileMapping
  let filter: BlockFilter

  /// - Parameter byteCount: Of the whole file, with its header; the file is made that long, of zeros.
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
